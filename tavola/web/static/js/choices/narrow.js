// @ts-check
// Choosing by narrowing: each touch keeps those of the legal actions that it can mean, until one is left. Nothing here
// depends on a page. A door is { code, words }: a readable code such as "crew sailor red", and a short word for each of
// its parts. A part with very many values is reached by coarser words, "Africa›Timbuktu", which are parts as well.

const MANY = 9; // with more values than this, those with a common prefix are one option at first: "sword-3", "sword-4"
const stem = (value) => value.split("-")[0];

/** The parts of a door, and the word for each. */
function parted({ code, words }) {
  const parts = [], said = [];
  code.split(" ").forEach((value, place) => {
    const leads = (words[place] ?? "").split("›");
    parts.push(...leads.slice(0, -1), value);
    said.push(...leads);
  });
  return { parts, said };
}

export class Narrowing {
  /** `doors`: legal actions; `asks`, `does`: the question after each beginning of a code, and its consequence. */
  constructor(doors = [], asks = {}, does = {}) {
    this.doors = doors;
    this.asks = asks;
    this.does = new Map(Object.entries(does).map(([code, [brief, sentence = "", tone = "plain"]]) => [code, [brief, sentence, tone]]));
    this.known = new Map(doors.map((door) => [door.code, parted(door)]));
    this.kept = []; // the set of codes left by each touch
  }

  /** The codes that are still possible. */
  get open() {
    return this.kept.at(-1) ?? this.doors.map((door) => door.code);
  }

  get begun() {
    return this.kept.length > 0;
  }

  /** The codes left by touching a thing that can mean these; an unrelated thing starts again. */
  meant(codes) {
    const known = new Set(codes);
    const left = this.open.filter((code) => known.has(code));
    if (left.length) return { left, anew: false };
    return { left: this.doors.map((door) => door.code).filter((code) => known.has(code)), anew: true };
  }

  /** Touch a thing. Returns the codes left; an empty list if it means nothing now. */
  touch(codes) {
    const { left, anew } = this.meant(codes);
    if (!left.length) return left;
    if (anew) this.kept = [];
    if (left.length < this.open.length) this.kept.push(left);
    return left;
  }

  /** The only door left of several: it just needs a confirmation. */
  get alone() {
    return this.begun && this.open.length === 1 ? this.doors.find(({ code }) => code === this.open[0]) : undefined;
  }

  /** The choice is made: the next question starts again. */
  end() {
    this.kept = [];
  }

  back() {
    return this.kept.pop() !== undefined;
  }

  /** The first part in which the open codes differ. */
  get place() {
    const parts = this.open.map((code) => this.parts(code));
    const longest = Math.max(0, ...parts.map((part) => part.length));
    for (let place = 0; place < longest; place++) {
      if (new Set(parts.map((part) => part[place])).size > 1) return place;
    }
    return -1;
  }

  get question() {
    const place = this.place, [first] = this.open;
    if (first === undefined) return "";
    if (this.alone) return this.alone.label;
    const parts = this.parts(first), asked = place < 0 ? parts.length - 1 : place;
    return this.asks[parts.slice(0, Math.max(asked, 0)).join(" ")] ?? "";
  }

  /** The next options, { word, value, codes } for each value of that part; those that end a turn come last. */
  get options() {
    const place = this.place, found = new Map(), { alone } = this;
    if (alone) return [{ word: this.word(alone.code, 0), value: this.parts(alone.code)[0], codes: [alone.code] }];
    for (const code of this.open) {
      const parts = this.parts(code), at = place < 0 ? parts.length - 1 : place;
      const value = parts[at] ?? "";
      if (!found.has(value)) found.set(value, { word: this.word(code, at), value, codes: [] });
      found.get(value).codes.push(code);
    }
    const options = [...found.values()];
    return together(place === 0 ? options.sort((one, other) => this.leads(other) - this.leads(one)) : options);
  }

  /** Whether an option is more than a verb. */
  leads({ codes }) {
    return codes.some((code) => this.parts(code).length > 1);
  }

  /** The choices so far: the parts that all open codes share but not all codes did before. */
  get chips() {
    if (!this.begun || this.alone) return [];
    const before = this.doors.map((door) => this.parts(door.code)), [first] = this.open, parts = this.open.map((code) => this.parts(code));
    return this.parts(first).flatMap((value, place) => {
      const shared = parts.every((part) => part[place] === value);
      const open = before.some((part) => part[place] !== value);
      return shared && open ? [{ word: this.word(first, place), value }] : [];
    });
  }

  /** Consequence of these codes, [brief, sentence, tone], for the words that they share beyond all open codes. */
  consequence(codes) {
    const shared = common(codes), known = codes.length < this.open.length ? common(this.open).length : 0;
    for (let length = shared.length; length > known; length--) {
      const told = this.does.get(shared.slice(0, length).join(" "));
      if (told) return told;
    }
    return null;
  }

  parts(code) {
    return this.known.get(code).parts;
  }

  word(code, place) {
    const { parts, said } = this.known.get(code);
    return said[place] || parts[place] || this.doors.find((door) => door.code === code).label;
  }
}

/** The words with which all of these codes begin. */
function common(codes) {
  const [first, ...others] = codes.map((code) => code.split(" "));
  const length = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return length < 0 ? first : first.slice(0, length);
}

/** Group many values: one option for all with the same prefix, labelled by the words that they share. */
function together(options) {
  const stems = new Map();
  for (const option of options) stems.set(stem(option.value), [...stems.get(stem(option.value)) ?? [], option]);
  if (options.length <= MANY || stems.size < 2 || stems.size > MANY) return options;
  return [...stems].map(([value, alike]) => ({ word: shared(alike.map(({ word }) => word)), value, codes: alike.flatMap(({ codes }) => codes) }));
}

function shared([first, ...words]) {
  const length = [...first].findIndex((letter, at) => words.some((word) => word[at] !== letter));
  return (length < 1 ? first : first.slice(0, length)).trim();
}
