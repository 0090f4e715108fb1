// Checks records of Kop for who chose the cards. Written from docs/fair-deal.md alone, with nothing but Node.
//
//   node verify.mjs RECORDS.json [NOTES.jsonl]    prints one verdict for each record, as JSON
//   node verify.mjs --vectors VECTORS.json        recomputes the test vectors
//
// RECORDS.json holds a record or a list of them. The exit code is 1 if a verdict is `cheated` or a
// vector is not met.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const PACK = "AC TC QC JC AS TS QS JS AH TH QH JH AD TD QD JD".split(" ");
const SEATS = [0, 1, 2, 3];
const MIDDLE = 8;
const DOUBTS = new Set(
  "unopened nobody_added from_round annulled before_unknown not_kept rolled_back opening_unseen own_not_in".split(" "),
);

// ---- the algorithm

const bytes = (hex) => Buffer.from(hex, "hex");
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");
const commits = (hex, cut) => sha256(bytes(hex), Buffer.from([cut]));

function u32(number) {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(number);
  return four;
}

function* keystream(secret, opened, purpose) {
  const parts = [...opened.map(bytes), Buffer.from(purpose, "ascii")];
  const label = Buffer.concat(parts.flatMap((part) => [u32(part.length), part]));
  for (let block = 0; ; block += 1) {
    yield* createHmac("sha256", bytes(secret)).update(label).update(u32(block)).digest();
  }
}

function below(bound, stream) {
  for (;;) {
    const byte = stream.next().value;
    if (byte < 256 - (256 % bound)) return byte % bound;
  }
}

function shuffled(secret, opened, purpose) {
  const deck = [...PACK];
  const stream = keystream(secret, opened, purpose);
  for (let last = 15; last >= 1; last -= 1) {
    const other = below(last + 1, stream);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return deck;
}

const cutDeck = (deck, cut) => [...deck.slice(cut), ...deck.slice(0, cut)];
const handOf = (deck, dealer, seat) => deck.filter((_, place) => (dealer + 1 + place) % 4 === seat);
const lot = (secret, table, match) => below(4, keystream(secret, [], `${table}/${match}/lot`));

// ---- what is read

const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
const isWhole = (value, least, most) => Number.isInteger(value) && least <= value && value <= most;
const isFour = (list) => Array.isArray(list) && list.length === 4 && list.every((text) => text === "" || isHash(text));
const keyParts = ({ table, match, deal }) => ({ table, match, deal });
const keyOf = ({ table, match, deal }) => `${table}/${match}/${deal}`;
const sameCards = ({ tournament }) => tournament?.duplicate === true;
const roundOf = ({ tournament }) => `${tournament.tournament}/${tournament.round}`;
const purposeOf = (record) => (sameCards(record) ? `${roundOf(record)}/${record.deal}` : keyOf(record));

function wellFormed(record) {
  const { table, match, deal, dealer, cut, deck, fair } = record;
  return (
    record.game === "kop" &&
    typeof table === "string" &&
    isWhole(match, 1, Infinity) &&
    isWhole(deal, 1, Infinity) &&
    record.record === `${table}-${match}-${deal}` &&
    isWhole(dealer, 0, 3) &&
    (sameCards(record) ? cut === 0 && isWhole(record.tournament.round, 1, 10_000) : isWhole(cut, 1, 15)) &&
    Array.isArray(deck) &&
    isDeepStrictEqual([...deck].sort(), [...PACK].sort()) &&
    typeof fair === "object" &&
    fair !== null &&
    isHash(fair.commitment) &&
    isHash(fair.secret) &&
    isFour(fair.commitments) &&
    isFour(fair.opened) &&
    Array.isArray(fair.burned) &&
    fair.burned.every((one) => one && isWhole(one.deal, 1, deal) && isHash(one.secret))
  );
}

function readNotes(text) {
  const deals = new Map();
  const again = ({ offers, scored, own, ...key }) => ({ ...keyParts(key), offers, scored, own, returned: true });
  for (const line of text.split("\n")) {
    let note;
    try {
      note = JSON.parse(line);
    } catch {
      continue;
    }
    if (note === null || typeof note !== "object" || typeof note.note !== "string") continue;
    if (note.note === "rolled_back") {
      for (const [key, deal] of deals) {
        if (deal.table === note.table) deals.set(key, deal.finished ? { ...deal, rolledBack: true } : again(deal));
      }
      continue;
    }
    const { table, match, deal } = note;
    let kept = deals.get(keyOf(note)) ?? { table, match, deal, offers: [], own: [] };
    if (kept.rolledBack) kept = again(kept);
    deals.set(keyOf(note), take(kept, note));
  }
  return deals;
}

function take(kept, note) {
  switch (note.note) {
    case "offered":
      return { ...kept, offers: [...new Set([...kept.offers, note.commitment])], scored: note.scored };
    case "own":
      return { ...kept, own: [...kept.own, note] };
    case "ready":
      return { ...kept, ready: note.commitment };
    case "withdrawn":
      return { ...kept, ready: undefined };
    case "opened":
      return { ...kept, opened: true };
    case "annulled":
    case "finished":
      return { ...kept, [note.note]: note.secret };
    default: // opening, dealt, hand
      return { ...kept, [note.note]: note };
  }
}

// ---- the findings

function verify(records, notes) {
  const read = records.filter(wellFormed);
  const used = commitmentsUsed(read, notes);
  return records.map((record) => {
    const found = [];
    const find = (word, about = {}) => found.push({ word, seat: about.seat ?? -1, number: about.number ?? -1 });
    if (!wellFormed(record)) {
      find("malformed");
    } else {
      const deal = { ...record, ...record.fair, cutter: (record.dealer + 3) % 4 };
      deal.before = deal.deal - 1 - deal.burned.length;
      alone(deal, find);
      several(deal, record, records, read, notes, used, find);
      const kept = notes.get(keyOf(record));
      if (!kept?.offers.length) find("not_kept");
      else against(deal, kept, find);
    }
    const findings = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
    const cheated = findings.some(({ word }) => !DOUBTS.has(word));
    const outcome = cheated ? "cheated" : findings.length ? "consistent" : "nobody_chose";
    return { record: record.record, outcome, findings };
  });
}

function alone(deal, find) {
  const { secret, commitment, commitments, opened, cut, cutter, before } = deal;
  if (sha256(bytes(secret)) !== commitment) find("secret_wrong");
  for (const seat of SEATS) {
    if (opened[seat] === "") {
      if (commitments[seat] === "") continue;
      find("unopened", { seat });
      if (seat === cutter && cut !== MIDDLE) find("cut_wrong");
      continue;
    }
    const fits = (number) => commits(opened[seat], number) === commitments[seat];
    if (seat !== cutter ? fits(0) : fits(cut) || (cut === MIDDLE && fits(0))) continue;
    if (seat === cutter && PACK.some((_, number) => fits(number))) find("cut_wrong");
    else find("opening_wrong", { seat });
  }
  if (!isDeepStrictEqual(deal.deck, cutDeck(shuffled(secret, opened, purposeOf(deal)), cut))) find("deck_wrong");
  if (sameCards(deal)) {
    find("from_round");
    if ([...opened, ...commitments].some((text) => text !== "")) find("deck_wrong");
    if (deal.dealer !== deal.deal % 4) find("dealer_wrong");
  } else if (opened.every((text) => text === "")) find("nobody_added");
  const numbers = deal.burned.map((one) => one.deal);
  if (!numbers.every((number, place) => number === before + 1 + place)) find("numbers_wrong");
  for (const number of numbers) find("annulled", { number });
}

function commitmentsUsed(read, notes) {
  const used = new Map();
  const rounds = new Map(read.filter(sameCards).map((record) => [`${record.table}/${record.match}`, roundOf(record)]));
  const oneForAll = (key) => {
    const end = key.lastIndexOf("/");
    const round = rounds.get(key.slice(0, end));
    return round === undefined ? key : `same cards of ${round}${key.slice(end)}`;
  };
  const use = (commitment, key) => used.set(commitment, (used.get(commitment) ?? new Set()).add(oneForAll(key)));
  for (const record of read) {
    use(record.fair.commitment, keyOf(record));
    use(sha256(bytes(record.fair.secret)), keyOf(record));
    for (const one of record.fair.burned) use(sha256(bytes(one.secret)), keyOf({ ...record, deal: one.deal }));
  }
  for (const [key, kept] of notes) for (const offer of kept.offers) use(offer, key);
  return used;
}

function several(deal, record, records, read, notes, used, find) {
  const { before, dealer, burned } = deal;
  const others = records.filter((other) => other !== record && keyOf(other) === keyOf(deal));
  if (others.some((other) => !isDeepStrictEqual(other, record))) find("two_records");
  const hashes = burned.map((one) => [one.deal, sha256(bytes(one.secret))]);
  const promised = [deal.commitment, sha256(bytes(deal.secret)), ...hashes.map(([, hash]) => hash)];
  if (promised.some((hash) => used.get(hash).size > 1)) find("secret_reused");
  for (const [number, hash] of hashes) {
    const kept = notes.get(keyOf({ ...deal, deal: number }));
    if (kept?.offers.length && !kept.offers.includes(hash)) find("burned_wrong", { number });
  }
  if (before === 0 && !sameCards(deal)) {
    const first = deal.deal === 1 ? deal.secret : burned.find((one) => one.deal === 1)?.secret;
    if (first !== undefined && lot(first, deal.table, deal.match) !== dealer) find("dealer_wrong");
  }
  if (before <= 0) return;
  const earlier = read.filter((one) => one.table === deal.table && one.match === deal.match && one.deal < deal.deal);
  if (earlier.length && !sameCards(deal)) {
    const last = earlier.reduce((best, one) => (one.deal > best.deal ? one : best));
    const moved = (dealer - last.dealer + 4) % 4;
    const unknown = before - last.deal;
    if (unknown < 0) find("numbers_wrong");
    const possible = unknown > 0 ? Array.from({ length: unknown }, (_, place) => place + 2) : [1];
    if (!possible.some((count) => count % 4 === moved)) find("dealer_wrong");
  }
  const now = notes.get(keyOf(deal));
  const then = notes.get(keyOf({ ...deal, deal: before }));
  const counted = now?.scored !== undefined && then?.scored !== undefined;
  const same = counted && now.scored === then.scored && !now.returned && !then.returned;
  if ((then?.annulled && !then.returned) || same) find("deal_hidden", { number: before });
  else if (!counted && !earlier.some((one) => one.deal === before)) find("before_unknown", { number: before });
}

function against(deal, kept, find) {
  if (kept.returned) find("rolled_back");
  else if (!kept.offers.includes(deal.commitment) || kept.offers.length > 1) {
    find(kept.rolledBack ? "rolled_back" : "commitment_changed");
  }
  if (kept.annulled) find("deal_hidden", { number: deal.deal });
  if (kept.opening) {
    for (const seat of SEATS) {
      if (kept.opening.commitments[seat] !== deal.commitments[seat]) find("seat_commitment_changed", { seat });
    }
    if (deal.commitments[deal.cutter] === "" && deal.cut !== (kept.opening.cut ?? MIDDLE)) find("cut_wrong");
  } else if (deal.commitments.some((text) => text !== "")) {
    find("opening_unseen");
  }
  if (kept.dealt) {
    for (const seat of SEATS) if (kept.dealt.opened[seat] !== deal.opened[seat]) find("opened_changed", { seat });
    if (kept.dealt.cut !== deal.cut) find("cut_wrong");
  }
  if (kept.hand) {
    const dealt = handOf(deal.deck, deal.dealer, kept.hand.seat);
    if (!isDeepStrictEqual([...kept.hand.hand].sort(), dealt.sort())) find("hand_changed");
  }
  if (sameCards(deal) && kept.own.length === 0) return; // no seat's bytes go in
  const seats = [...new Set(kept.own.map(({ seat }) => seat))];
  const noted = (commitment) => kept.own.find((own) => own.commitment === commitment);
  const own = seats.map((seat) => noted(deal.commitments[seat])).find((one) => one !== undefined);
  if (own === undefined) find(kept.ready && (kept.opening || kept.hand) ? "own_commitment_missing" : "own_not_in");
  else if (deal.opened[own.seat] === "") find(kept.opened ? "own_bytes_ignored" : "own_not_in", { seat: own.seat });
  else if (deal.opened[own.seat] !== own.bytes) find("own_bytes_changed", { seat: own.seat });
}

// ---- the test vectors

function missed({ deals, lots }) {
  const faults = [];
  for (const one of deals) {
    const opened = one.seats.map((seat) => (seat.opened ? seat.bytes : ""));
    const stream = keystream(one.secret, opened, one.purpose);
    const start = Buffer.from(Array.from({ length: 48 }, () => stream.next().value)).toString("hex");
    const deck = shuffled(one.secret, opened, one.purpose);
    const after = cutDeck(deck, one.cut);
    const made = {
      commitment: sha256(bytes(one.secret)),
      keystream: start,
      shuffled: deck.join(" "),
      deck: after.join(" "),
      hands: SEATS.map((seat) => handOf(after, one.dealer, seat).join(" ")),
    };
    for (const [name, value] of Object.entries(made)) {
      if (!isDeepStrictEqual(one[name], value)) faults.push(`${one.name}: ${name}`);
    }
    const wrong = one.seats.some((seat) => seat.bytes && commits(seat.bytes, seat.cut) !== seat.commitment);
    if (wrong) faults.push(`${one.name}: commitments`);
  }
  for (const one of lots) {
    const [table, match] = one.purpose.split("/");
    if (lot(one.secret, table, match) !== one.dealer) faults.push(`lot ${one.purpose}`);
  }
  return faults;
}

const [first, second] = process.argv.slice(2);
if (first === "--vectors") {
  const faults = missed(JSON.parse(readFileSync(second, "utf8")));
  console.log(JSON.stringify(faults));
  process.exit(faults.length ? 1 : 0);
}
const plain = JSON.parse(readFileSync(first, "utf8"));
const verdicts = verify(Array.isArray(plain) ? plain : [plain], readNotes(second ? readFileSync(second, "utf8") : ""));
console.log(JSON.stringify(verdicts));
process.exit(verdicts.some(({ outcome }) => outcome === "cheated") ? 1 : 0);
