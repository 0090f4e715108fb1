// A client for Kop online, written from docs/protocol alone: it plays one deal and checks what it is told.
//
//   node client.mjs URL SUBPROTOCOL[,SUBPROTOCOL…] [CODE]
//
// Opens one connection for each subprotocol that is named. Without a CODE the first opens a private
// table and the others join it; with one all join. Prints one line of JSON and ends with 0, or says
// what was wrong and ends with 1.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { decode, encode } from "@msgpack/msgpack";
import WebSocket from "ws";

const MSGPACK = "kop.v1.msgpack";
const TIME_LIMIT = 60_000;

/** The action that a player without any wit takes, or undefined. */
function choose(actions) {
  for (const wanted of ["ready", "ask", "go on"]) {
    if (actions.includes(wanted)) return wanted;
  }
  return actions.find((action) => action.startsWith("play "));
}

class Player {
  constructor(url, subprotocol, name) {
    this.name = name;
    this.subprotocol = subprotocol;
    this.instance = randomBytes(8).toString("hex");
    this.lastId = 0;
    this.waiting = new Map(); // command id -> {message, resolve, reject}
    this.expected = new Map(); // type of a message -> resolve
    this.version = 0; // the last version seen of the table
    this.messages = 0;
    this.answered = new Set();
    this.acts = []; // one promise for each action sent: settled when it was answered
    this.dealt = null; // the hand of the first view in which it was whole
    this.commitment = null;
    this.scored = new Promise((resolve, reject) => {
      this.tellScored = resolve;
      this.failed = reject;
    });
    this.socket = new WebSocket(url, [subprotocol]);
    this.socket.on("message", (data, isBinary) => this.guarded(() => this.received(data, isBinary)));
    this.socket.on("error", (fault) => this.failed(fault));
    this.socket.on("close", (code) => this.failed(new Error(`${name}: closed with ${code}`)));
  }

  guarded(work) {
    try {
      work();
    } catch (fault) {
      this.failed(fault);
    }
  }

  async greet() {
    await new Promise((resolve) => this.socket.once("open", resolve));
    assert.equal(this.socket.protocol, this.subprotocol);
    const welcome = this.next("welcome");
    this.send({ type: "hello", protocol: 1, instance: this.instance, name: this.name });
    const { token, tables, time } = await welcome;
    assert.equal(typeof token, "string");
    assert.deepEqual(tables, []);
    const pong = this.next("pong");
    this.send({ type: "ping" });
    assert.ok((await pong).time >= time, "the server's clock went back");
  }

  /** The next message of a type that is no answer to an id. */
  next(type) {
    return new Promise((resolve) => this.expected.set(type, resolve));
  }

  send(message) {
    this.socket.send(this.subprotocol === MSGPACK ? encode(message) : JSON.stringify(message));
  }

  /** Sends a command with the next id; its answer, or an Error with the refusal's code. */
  command(message) {
    this.lastId += 1;
    return this.sendCommand({ ...message, id: this.lastId });
  }

  sendCommand(message) {
    return new Promise((resolve, reject) => {
      this.waiting.set(message.id, { message, resolve, reject });
      this.send(message);
    });
  }

  /** The same message once more: it must have no effect and get the same answer. */
  async again(message, answer) {
    assert.deepEqual(await this.sendCommand(message), answer);
  }

  received(data, isBinary) {
    assert.equal(isBinary, this.subprotocol === MSGPACK, "a frame of the wrong kind");
    const message = isBinary ? decode(data) : JSON.parse(data.toString("utf8"));
    switch (message.type) {
      case "reply":
      case "lobby":
      case "sheet":
        return this.answer(message.id, (waiting) => waiting.resolve(message));
      case "error":
        return this.answer(message.id, (waiting) => waiting.reject(Object.assign(new Error(message.code), message)));
      case "table":
        return this.drawn(message);
      default: // welcome, pong, closed, notice, and what a later server may say
        this.expected.get(message.type)?.(message);
        this.expected.delete(message.type);
    }
  }

  answer(id, tell) {
    const waiting = this.waiting.get(id);
    assert.ok(waiting, `an answer to id ${id}, which waits for none`);
    this.waiting.delete(id);
    tell(waiting);
  }

  drawn(message) {
    if (message.resync) {
      assert.deepEqual(message.happened, []);
    } else {
      assert.equal(message.from, this.version, `${this.name}: a gap before version ${message.version}`);
    }
    assert.ok(message.version >= this.version, "a version went back");
    this.messages += 1;
    this.version = message.version;
    this.table = message.table;
    this.seat = message.own.seat;
    const { play } = message.public;
    if (play?.commitment && this.commitment === null) this.commitment = play.commitment;
    if (message.own.play?.hand.length === 4) this.dealt = message.own.play.hand;
    const scored = message.happened.find(({ event }) => event === "deal_scored");
    if (scored) {
      this.over = true;
      this.tellScored(scored);
    }
    if (!this.over) this.act(message.own);
  }

  act({ prompt, actions }) {
    const action = choose(actions);
    const key = `${prompt} ${action}`;
    if (action === undefined || this.answered.has(key)) return;
    this.answered.add(key);
    this.acts.push(
      this.actTwice({ type: "act", table: this.table, prompt, action }).catch((fault) => {
        if (fault.code !== "stale") this.failed(fault);
      }),
    );
  }

  async actTwice(message) {
    const reply = await this.command(message);
    await this.again({ ...message, id: reply.id }, reply);
  }

  checkDeal({ line, hands, secret }) {
    assert.equal(createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex"), this.commitment);
    assert.equal(new Set(hands.flat()).size, 16);
    assert.deepEqual([...hands[this.seat]].sort(), [...this.dealt].sort());
    assert.equal(line.money.reduce((sum, part) => sum + part, 0), 0);
  }

  async leave() {
    const closed = this.next("closed");
    await this.command({ type: "leave", table: this.table });
    assert.equal((await closed).reason, "left");
    this.socket.removeAllListeners("close");
    this.socket.close();
  }
}

async function sit(players, code) {
  let known = code;
  for (const player of players) {
    if (known === undefined) {
      const message = { type: "create", game: "kop", private: true, options: { deals: 4 } };
      const reply = await player.command(message);
      assert.equal(reply.seat, 0);
      await player.again({ ...message, id: reply.id }, reply);
      known = reply.code;
    } else {
      const reply = await player.command({ type: "join", code: known });
      assert.equal(reply.code, known);
    }
  }
}

async function play(url, subprotocols, code) {
  const names = ["Ada", "Bolek", "Cela", "Darek"];
  const players = subprotocols.map((subprotocol, place) => new Player(url, subprotocol, names[place]));
  await guardedBy(players, Promise.all(players.map((player) => player.greet())));
  await guardedBy(players, sit(players, code));
  const results = await Promise.all(players.map((player) => player.scored));
  await guardedBy(players, Promise.all(players.flatMap((player) => player.acts)));
  players.forEach((player, place) => {
    player.checkDeal(results[place]);
    assert.deepEqual(results[place], results[0], "two seats were told different results");
  });
  const sheet = await guardedBy(players, players[0].command({ type: "sheet", table: players[0].table }));
  assert.deepEqual(sheet.lines[0].line, results[0].line);
  const summary = {
    table: players[0].table,
    version: players[0].version,
    subprotocols,
    seats: players.map((player) => player.seat),
    messages: players.map((player) => player.messages),
    line: results[0].line,
  };
  for (const player of players) await guardedBy(players, player.leave());
  return summary;
}

/** The work's result, or the first fault that any of the players meets meanwhile. */
function guardedBy(players, work) {
  return Promise.race([work, ...players.map((player) => player.scored.then(() => new Promise(() => {})))]);
}

const [url, list, code] = process.argv.slice(2);
if (!url || !list) {
  console.error("usage: node client.mjs URL SUBPROTOCOL[,SUBPROTOCOL…] [CODE]");
  process.exit(2);
}
const clock = setTimeout(() => {
  console.error(`no deal was scored within ${TIME_LIMIT / 1000} s`);
  process.exit(1);
}, TIME_LIMIT);
try {
  console.log(JSON.stringify(await play(url, list.split(","), code)));
  clearTimeout(clock);
} catch (fault) {
  console.error(fault);
  process.exit(1);
}
