// Steps through a hand. It knows no rules and no language: it applies the changes that the moves
// make (see page_data.py), and shows the words and numbers that it is given.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const hand = JSON.parse(document.getElementById("data").textContent);
  const words = hand.words;
  const order = new Map(hand.deck.map((card, index) => [card, index]));
  const last = hand.steps.length;

  // Where we are: after `at` moves of the hand, or after `along` moves of what follows an option
  // that was not chosen there.
  const here = { at: 0, option: null, along: 0 };

  const by = (id) => document.getElementById(id);

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function drawn(name, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  function fill(text, fields) {
    const filled = text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
    return filled.charAt(0).toUpperCase() + filled.slice(1);
  }

  // ---------------------------------------------------------------- positions

  function begin() {
    const { start } = hand;
    return {
      ...start,
      hands: start.hands.map((cards) => [...cards]),
      trick: start.trick.map(([place, card]) => ({ place, card })),
      stock: [...start.stock],
      taken: null,
      cantes: hand.sides.map(() => []),
    };
  }

  function apply(state, step) {
    for (const [place, card] of step.came ?? []) {
      state.hands[place].push(card);
      state.hands[place].sort((one, other) => order.get(one) - order.get(other));
      if (card === state.aside) state.aside = null;
    }
    const leave = (place, card) => {
      state.hands[place] = state.hands[place].filter((held) => held !== card);
    };
    for (const [place, card] of step.gone ?? []) leave(place, card);
    if (step.lays) {
      if (state.taken !== null) state.trick = [];
      state.trick.push({ place: state.turn, card: step.move });
      state.taken = null;
      leave(state.turn, step.move);
    }
    if (step.taken !== undefined) state.taken = step.taken;
    state.stock = state.stock.slice(step.drawn ?? 0);
    if (step.turned !== undefined) state.stock[state.stock.length - 1] = step.turned;
    for (const [side, cante] of step.cantes ?? []) state.cantes[side].push(cante);
    state.trump = step.trump ?? state.trump;
    state.points = step.points ?? state.points;
    state.tricks = step.tricks ?? state.tricks;
    state.turn = step.turn ?? null;
  }

  function after(steps) {
    const state = begin();
    steps.forEach((step) => apply(state, step));
    return state;
  }

  function madeSoFar() {
    const steps = hand.steps.slice(0, here.at);
    return here.option === null ? steps : [...steps, ...here.option.line.slice(0, here.along)];
  }

  // ---------------------------------------------------------------- cards

  function cardImage(card) {
    const image = drawn("svg", {
      class: "card", viewBox: "0 0 40 60", role: "img", "aria-label": hand.names[card],
    });
    image.append(drawn("use", { href: `#card-${card}` }));
    return image;
  }

  function choose(option) {
    if (option.move === hand.steps[here.at].move) {
      go(here.at + 1);
      by(here.at < last ? "next" : "back").focus();
    } else {
      here.option = option;
      here.along = 1;
      show();
      by("leave").focus();
    }
  }

  function optionButton(option, content) {
    const played = option.move === hand.steps[here.at].move;
    const label = element("span", { class: "label", "aria-hidden": "true" },
      element("b", {}, option.label), element("i", {}, option.mark));
    const button = element("button", {
      type: "button",
      class: `option ${option.grade}${played ? " played" : ""}`,
      "data-move": option.move,
      "aria-label": played ? `${option.says} (${words.played})` : option.says,
    }, content, label);
    button.disabled = !played && !option.line;
    button.addEventListener("click", () => choose(option));
    return button;
  }

  function cardList(cards, options) {
    const offered = new Map(options.filter((o) => o.card).map((option) => [option.card, option]));
    const shown = cards.map((card) => {
      const option = offered.get(card);
      if (!option) return element("li", options.length ? { class: "barred" } : {}, cardImage(card));
      return element("li", {}, optionButton(option, cardImage(card)));
    });
    return element("ul", { class: "cards" }, ...shown);
  }

  function seat(place, state, options) {
    const { head, marks, name, place: where } = hand.seats[place];
    const turn = state.turn === place;
    const leader = state.taken === null && state.trick.length ? state.trick[0].place : state.turn;
    const title = element("h2", {}, head);
    const tags = [...marks];
    if (leader === place) tags.push(words.leads);
    if (turn) title.prepend("▸ ");
    for (const tag of tags) title.append(" ", element("small", {}, tag));
    const box = element("section", {
      class: `seat at-${where}${turn ? " turn" : ""}`,
      "data-seat": place + 1,
      "aria-label": fill(words.hand_of, { player: name }) + (turn ? `, ${words.to_move}` : ""),
    }, title, cardList(state.hands[place], turn ? options : []));
    const others = options.filter((o) => !o.card || !state.hands[place].includes(o.card));
    if (turn && others.length) {
      const buttons = others.map((option) => optionButton(
        option, option.card ? cardImage(option.card) : hand.names[option.move]));
      box.append(element("div", { class: "others", role: "group", "aria-label": words.declarations },
        ...buttons));
    }
    return box;
  }

  // ---------------------------------------------------------------- showing

  function showTable(state, options) {
    const trick = element("ul", { class: "trick" });
    if (!state.trick.length) trick.append(element("li", { class: "heard" }, words.empty));
    for (const { place, card } of state.trick) {
      const taker = place === state.taken;
      trick.append(element("li", { class: `at-${hand.seats[place].place}${taker ? " taker" : ""}` },
        cardImage(card), element("span", { class: "who" }, `${taker ? "✓ " : ""}${hand.seats[place].head}`)));
    }
    if (state.aside !== null) {
      trick.append(element("li", { class: "aside" }, cardImage(state.aside),
        element("span", { class: "who" }, words.aside)));
    }
    const trump = element("div", { class: "trump" });
    if (state.trump !== null) {
      const sign = drawn("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": hand.suits[state.trump] });
      sign.append(drawn("use", { href: `#suit-${state.trump}` }));
      trump.append(sign, words.trump);
    }
    const seats = hand.seats.map((_, place) => seat(place, state, options));
    const focused = by("table").contains(document.activeElement);
    by("table").replaceChildren(...seats, element("div", { id: "middle" }, trump, trick));
    // The card that had the focus is gone.
    if (focused) by("board").focus();
  }

  function showStock(state) {
    by("stock").hidden = !state.stock.length;
    by("stock-head").textContent = fill(words.stock, { cards: state.stock.length });
    by("stock-cards").replaceChildren(...state.stock.map((card, index) => {
      const shown = element("li", {}, cardImage(card));
      if (index === state.stock.length - 1) shown.append(element("small", {}, words.turned));
      return shown;
    }));
  }

  function showScore(state) {
    by("sides").replaceChildren(...hand.sides.map((side, index) => element("tr", {},
      element("th", { scope: "row" }, side),
      element("td", {}, String(state.points[index])),
      element("td", {}, String(state.tricks[index])),
      element("td", {}, state.cantes[index].map((cante) => hand.names[cante]).join(", ") || "–"))));
  }

  // What the last move did, for those who hear the page.
  function heard(state) {
    const steps = madeSoFar();
    if (!steps.length) return [];
    const step = steps[steps.length - 1];
    const before = after(steps.slice(0, -1));
    const said = [fill(hand.says[step.move], { player: hand.seats[before.turn].name })];
    for (const [side, cante] of step.cantes ?? []) {
      if (step.lays) said.push(fill(words.credited, { cante: hand.names[cante], player: hand.sides[side] }));
    }
    if (step.taken !== undefined) {
      said.push(fill(words.takes, { player: hand.seats[state.taken].name }));
    }
    return said;
  }

  function showMoment(state, moment, said) {
    const { option, along } = here;
    const done = heard(state);
    const lineHead = option && (along === option.line.length ? words.line_over : words.line);
    const head = lineHead ?? (moment.decisive ? `${moment.head} (${words.decisive})` : moment.head);
    const value = option ? option.label : moment.value;
    const paragraphs = (texts, name) => texts.map((text) => element("p", { class: name }, text));
    by("moment-head").textContent = head;
    by("value").textContent = value && fill(words.value, { value });
    by("texts").replaceChildren(...(option ? paragraphs(done, "says") : [
      ...paragraphs(moment.says ?? [], "says"), ...paragraphs(moment.remark ?? [], "remark"),
    ]));
    by("moment").classList.toggle("decisive", !option && Boolean(moment.decisive));
    if (said) by("live").textContent = [...done, head, by("value").textContent].join(" ");
  }

  function showControls() {
    const length = here.option === null ? last : here.option.line.length;
    const step = here.option === null ? here.at : here.along;
    by("counter").textContent = fill(words.counter, { step, steps: length });
    by("first").disabled = by("back").disabled = step === 0;
    by("next").disabled = by("last").disabled = step === length;
    by("banner").hidden = here.option === null;
    if (here.option !== null) {
      const player = hand.seats[after(hand.steps.slice(0, here.at)).turn].name;
      const move = fill(hand.says[here.option.move], { player });
      by("banner-text").textContent = fill(words.what_if, { move, value: here.option.label });
    }
    for (const link of document.querySelectorAll("#bazas a")) {
      const current = link.hash === `#${here.at}`;
      if (current) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
    for (const dot of document.querySelectorAll("#graph [data-step]")) {
      dot.classList.toggle("current", Number(dot.dataset.step) === here.at);
    }
  }

  function show({ said = true } = {}) {
    const state = after(madeSoFar());
    const asking = document.body.classList.contains("asking");
    const moment = here.at < last ? hand.choices[here.at] : hand.end;
    const options = here.option === null && here.at < last && !asking ? moment.options : [];
    showTable(state, options);
    showStock(state);
    showScore(state);
    if (asking) return;
    showMoment(state, moment, said);
    showControls();
  }

  // ---------------------------------------------------------------- the graph

  function drawGraph() {
    const points = [...hand.choices, hand.end];
    const known = points.map((point) => point.height).filter((height) => height !== null);
    if (!by("graph")) return;
    by("graph").hidden = !known.length;
    if (!known.length) return;
    const level = hand.level;
    const heights = level ? [...known, level.height] : known;
    let low = Math.min(...heights);
    let high = Math.max(...heights);
    const room = Math.max((high - low) * 0.12, 1);
    [low, high] = [low - room, high + room];
    const ticks = Math.max(...points.map((point) => point.tick.length), 3);
    const [width, height, left, right, top, bottom] = [420, 170, 14 + 8 * ticks, 10, 12, 24];
    const x = (step) => left + (width - left - right) * (last ? step / last : 0);
    const y = (value) => top + (height - top - bottom) * (1 - (value - low) / (high - low));
    const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "group" });
    const text = (at, words_, attributes) => {
      const made = drawn("text", { x: at[0], y: at[1], ...attributes });
      made.textContent = words_;
      return made;
    };

    // A line where each baza begins, with every other number where they are many.
    const tricks = hand.steps.flatMap((step, index) => (step.taken === undefined ? [] : [index + 1]));
    const every = Math.ceil(tricks.length / 12);
    [0, ...tricks].forEach((step, index) => {
      if (step === last) return;
      picture.append(drawn("path", { class: "baza", d: `M${x(step)} ${top}V${height - bottom}` }));
      if (index % every === 0) {
        picture.append(text([x(step) + 2, height - bottom + 13], String(index + 1), { class: "axis" }));
      }
    });
    for (const value of new Set([Math.min(...known), Math.max(...known)])) {
      const label = points.find((point) => point.height === value).tick;
      picture.append(text([left - 5, y(value) + 4], label, { class: "axis", "text-anchor": "end" }));
    }
    if (level) {
      picture.append(drawn("path", { class: "level", d: `M${left} ${y(level.height)}H${width - right}` }));
      picture.append(text([width - right, y(level.height) - 4], level.label,
        { class: "level-text", "text-anchor": "end" }));
    }

    // A step line: a value holds until a move changes it.
    let path = "";
    points.forEach((point, step) => {
      if (point.height === null) return;
      const before = step > 0 && points[step - 1].height !== null;
      path += before ? `H${x(step)}V${y(point.height)}` : `M${x(step)} ${y(point.height)}`;
    });
    picture.append(drawn("path", { class: "values", d: path }));
    points.forEach((point, step) => {
      if (point.height === null) return;
      const [cx, cy] = [x(step), y(point.height)];
      const name = fill(words.moment, { step, value: point.value }) +
        (point.decisive ? ` (${words.decisive})` : "");
      const dot = drawn("a", { href: `#${step}`, "data-step": step, "aria-label": name, tabindex: "-1" });
      const title = drawn("title");
      title.textContent = name;
      dot.append(title, drawn("circle", { class: "reach", cx, cy, r: 9 }));
      dot.append(point.decisive
        ? drawn("path", { class: "dot decisive", d: `M${cx} ${cy - 7}l6 7-6 7-6-7z` })
        : drawn("circle", { class: "dot", cx, cy, r: 2.6 }));
      picture.append(dot);
    });
    by("graph").append(picture);
  }

  // ---------------------------------------------------------------- moving about

  function go(at) {
    here.at = Math.max(0, Math.min(last, at));
    here.option = null;
    history.replaceState(null, "", `#${here.at}`);
    show();
  }

  function step(to) {
    if (here.option === null) {
      go({ first: 0, back: here.at - 1, next: here.at + 1, last }[to]);
      return;
    }
    const { length } = here.option.line;
    const along = { first: 0, back: here.along - 1, next: here.along + 1, last: length }[to];
    here.along = Math.max(0, Math.min(length, along));
    show();
  }

  function leave() {
    go(here.at);
    by("next").focus();
  }

  function followHash() {
    const wanted = /^#(\d+)$/.exec(location.hash);
    if (wanted) go(Number(wanted[1]));
  }

  function listen() {
    for (const to of ["first", "back", "next", "last"]) {
      by(to).addEventListener("click", () => step(to));
    }
    by("leave").addEventListener("click", leave);
    const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === "Escape" && here.option !== null) leave();
      if (!(event.key in keys) || event.target.closest(".wide")) return;
      event.preventDefault();
      step(keys[event.key]);
    });
    let touched = null;
    by("board").addEventListener("touchstart", (event) => {
      touched = event.touches.length === 1 ? event.touches[0] : null;
    }, { passive: true });
    by("board").addEventListener("touchend", (event) => {
      if (touched === null) return;
      const across = event.changedTouches[0].clientX - touched.clientX;
      const down = event.changedTouches[0].clientY - touched.clientY;
      if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? "next" : "back");
      touched = null;
    }, { passive: true });
    window.addEventListener("hashchange", followHash);
  }

  function answer() {
    document.body.classList.remove("asking");
    if (by("moves")) {
      by("moves").hidden = false;
      by("moves").open = true;
    }
    drawGraph();
    listen();
    show({ said: false });
    followHash();
  }

  function ask() {
    const hints = [...document.querySelectorAll("#hints li")];
    let given = 0;
    if (by("hint")) {
      by("hint").addEventListener("click", () => {
        hints[given].hidden = false;
        given += 1;
        by("hint").disabled = given === hints.length;
      });
    }
    by("solve").addEventListener("click", () => {
      hints.forEach((hint) => { hint.hidden = false; });
      by("solve").parentElement.hidden = true;
      answer();
      by("next").focus();
    });
    if (by("moves")) by("moves").hidden = true;
    show({ said: false });
  }

  const most = Math.max(...hand.start.hands.map((cards) => cards.length), 1);
  document.documentElement.style.setProperty("--most", Math.max(most, 8));
  if (document.body.classList.contains("asking")) ask();
  else answer();
})();
