# cython: language_level=3
"""Loads packed games and positions of hands in which each plays for himself, and steps through them."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from tute.engine.packed cimport add_card, begin_trick, lowest
from tute.engine.stoppable cimport Stoppable


cdef class Hand(Stoppable):
    """One hand, packed. A search is a subclass that works on what was loaded.

    A move is a card, by its bit, or a call: 64 + a suit for that suit's pair, 68 for a tute.
    """

    def set_game(self, dict game):
        """Load the fixed facts, as `alone.packed_game` has them."""
        cdef Game* g = &self.game
        cdef int suit, rank, place
        memset(g, 0, sizeof(Game))
        g.duties.montar_si_fallado = game["montar_si_fallado"]
        g.duties.undertrump_must = game["undertrump_must"]
        g.duties.no_cargar = game["no_cargar"]
        g.duties.worthless = game["worthless"]
        for place, points in game["points"].items():
            g.duties.points[place] = points
        g.players = g.losing.players = game["players"]
        g.losing.kind = game["kind"]
        g.losing.first = game["first"]
        g.losing.middle4 = game["middle4"]
        g.losing.all_tied_none = game["all_tied_none"]
        g.losing.loser_rule = game["loser_rule"]
        g.losing.by_seat = game["by_seat"]
        g.losing.tied_lose = game["tied_lose"]
        g.losing.zero_all_lose = game["zero_all_lose"]
        g.losing.by_last = game["by_last"]
        g.losing.level = game["level"]
        for suit in range(SUITS):
            g.pair[suit] = game["pair"][suit]
        for rank, cards in enumerate(game["fours"]):
            g.fours[rank] = cards
        g.declares = game["declares"]
        g.catches = game["catches"]
        g.makes_trumps = game["makes_trumps"]
        g.by_completion = game["by_completion"]
        g.at_second_card = game["at_second_card"]
        g.several = game["several"]
        g.forty_first = game["forty_first"]
        g.tute_exact = game["tute_exact"]
        g.sung_bars_tute = game["sung_bars_tute"]
        g.caught_is_sung = game["caught_is_sung"]
        g.last_trick = game["last_trick"]

    def set_position(self, dict position):
        """Load a position of the game, as `alone.packed_position` has it."""
        cdef Game* g = &self.game
        cdef State* s = &self.state
        cdef int seat
        cdef uint64_t card
        memset(s, 0, sizeof(State))
        for seat in range(g.players):
            s.hands[seat] = position["hands"][seat]
            s.points[seat] = position["points"][seat]
        s.trumps = position["trumps"]
        s.rest = position["rest"]
        s.leader = position["leader"]
        s.cards = position["cards"]
        s.shown = position["shown"]
        s.takers = position["takers"]
        s.sung = position["sung"]
        s.declared = position["declared"]
        s.parted = position["parted"]
        s.window = position["window"]
        begin_trick(&self.trick, s.leader)
        for card in position["trick"]:
            add_card(&self.trick, card, self.trick.next_player, g.players, &g.duties, s.trumps)

    def packed_position(self):
        """The position now, as `alone.packed_position` would have it."""
        cdef State* s = &self.state
        cdef int seat, place
        players = range(self.game.players)
        return {
            "hands": [s.hands[seat] for seat in players],
            "trick": [self.trick.cards[place] for place in range(self.trick.size)],
            "trumps": s.trumps,
            "points": [s.points[seat] for seat in players],
            "rest": s.rest,
            "leader": s.leader,
            "cards": s.cards,
            "shown": s.shown,
            "takers": s.takers,
            "sung": s.sung,
            "declared": s.declared,
            "parted": s.parted,
            "window": s.window,
        }

    def moves(self):
        """Every legal move, calls first."""
        cdef State* s = &self.state
        cdef int call_bits, what
        cdef uint64_t cards
        if is_over(s):
            return []
        call_bits = open_calls(&self.game, s)
        found = [64 + what for what in range(SUITS + 1) if (call_bits >> what) & 1]
        if s.window == COMPULSORY:
            return found
        cards = playable_cards(&self.game, s, &self.trick)
        while cards:
            found.append(lowest(cards))
            cards &= cards - 1
        return found

    def make(self, int move):
        """Make a legal move."""
        cdef Game* g = &self.game
        cdef State* s = &self.state
        if move >= 64:
            call(g, s, move - 64)
            return
        put_card(g, s, &self.trick, <uint64_t> 1 << move)
        if self.trick.size == g.players:
            finish_trick(g, s, &self.trick)
            begin_trick(&self.trick, s.leader)

    def losers(self):
        """Who loses the hand, which is over, as bits; in tute individual who does not win."""
        return losers(&self.game, &self.state)
