"""The command line of tute: options in, a call, a report out."""
