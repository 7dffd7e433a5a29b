/* Types of what the server sends. They exist for `tsc` only; no page loads this file. The Python
   structs are in games/live/protocol.py and lobby/live/protocol.py. */

/** A code and its parameters. A parameter can be a name, a number, an element or a message. */
interface Message {
  code: string;
  count?: number;
  [parameter: string]: any;
}

/** How a match ended. `winner` is a role; `won` and `lost` are scores, in games that count. */
interface Outcome {
  code: string;
  winner: string | null;
  won: number | null;
  lost: number | null;
  more?: Outcome[];
}

/** One position as a board shows it. `fresh`, `line` and `better` are indices of elements. */
interface Drawing {
  diagram: string | string[];
  fresh?: number[];
  line?: number[];
  better?: number[];
}

/** A legal action, its name, and for each step the elements to act on, of which any will do. */
type Path = [action: string, label: string | Message, steps: (number | number[])[]];

/** What else an interactive board needs. `open` has one bit per element, as hexadecimal digits. */
interface BoardFrame extends Drawing {
  open?: string;
  hand?: string;
  closing?: [number, number][];
  pending?: string | null;
  paths?: Path[];
}

/** One position of a finished match, from `replay.json`. */
interface ReplayFrame extends Drawing {
  ply: number;
  mark: string;
  said: Message;
  scores?: Record<string, number>;
  verdict?: { kind: string; words: Message };
}

interface Seat {
  name: string;
  here: boolean;
  mark: string;
  score: number | null;
  rating?: { before: string; after: string | null };
}

/** Times in seconds since 1970 unless the name says milliseconds. */
interface Clock {
  control: string;
  increment_ms: number;
  remaining_ms: Record<string, number>;
  running: string | null;
  since: number;
  deadline: number | null;
  started: boolean;
  lag_ms: number;
}

/** The state frame of the match socket. Roles are keys of `seats`. */
interface MatchState extends Drawing {
  type: "state";
  match: string;
  game: string;
  ply: number;
  version: number;
  epoch: string;
  turn: string | null;
  last: string | null;
  said: Message | null;
  status: "live" | "over" | "aborted";
  ended: string | null;
  goals: Record<string, number> | null;
  verdict: Outcome | null;
  prompt: Message | null;
  hand: string;
  closing: [number, number][];
  open: string;
  buttons: string[];
  /** on boards where one click is not enough to choose an action */
  paths?: Path[];
  seats: Record<string, Seat>;
  draw: string | null;
  rematch: { by: string | null; match: string | null; url: string | null } | null;
  claim_at?: number;
  clock: Clock | null;
  watchers: number;
  now: number;
  you: string | null;
  can: string[];
  yours: string[];
  scores?: Record<string, number>;
}

/** An action that was sent and is not accepted yet. */
interface SentAction {
  ply: number;
  action: string;
}

interface ListedSeek {
  seek: string;
  game: string;
  clock: string | null;
  player: string;
  since: number;
  rated: boolean;
  lowest: number | null;
  highest: number | null;
  rating?: string;
}

interface ListedMatch {
  match: string;
  game: string;
  clock: string | null;
  seats: Record<string, { name: string; rating?: string }>;
  watchers?: number;
  verdict?: Outcome | null;
}

/** The seconds that each role had left after the last move, and until when the running ones last. */
interface WallClock {
  left: Record<string, number>;
  running: string | null;
  until: number | null;
}

/** The changes of one small board: `marks` by the indices of the elements. */
interface BoardChange {
  match: string;
  marks: Record<string, string>;
  fresh: number[];
  line?: number[];
  turn?: string | null;
  badges?: Record<string, string>;
}

interface LobbyFrame {
  you: string | null;
  seeks: ListedSeek[];
  matches: ListedMatch[];
  boards?: BoardChange[];
  online: number;
  playing: number;
  seeking: number;
}

interface LobbyChanges {
  seeks?: ListedSeek[];
  gone?: string[];
  matches?: ListedMatch[];
  over?: string[];
  boards?: BoardChange[];
  online?: number;
  playing?: number;
  seeking?: number;
}

/** A search or an invitation of the player. */
interface OwnSeek {
  seek: string;
  game: string;
  clock: string | null;
  since: number;
  invitation: boolean;
  rated: boolean;
  computer: boolean;
}

/** A seek of another player that the player could join instead of waiting with the seek `mine`. */
interface Offer {
  seek: string;
  mine: string;
  game: string;
  clock: string | null;
  rated: boolean;
  player: string;
  rating?: string;
}

/** A match that has just begun. */
interface BegunMatch {
  seek: string;
  match: string;
  url: string;
  game: string;
  opponent: string;
  invitation: boolean;
  tournament?: string;
  event?: string;
}

interface Challenge {
  challenge: string;
  url: string;
  game: string;
  clock: string | null;
  rated: boolean;
  player: string;
  mine: boolean;
}

interface DeclinedChallenge {
  challenge: string;
  game: string;
  player: string;
  word: string;
}

interface OwnGame {
  match: string;
  url: string;
  game: string;
  clock: string | null;
  opponent: string;
  waits: boolean;
  since: number;
  until: number | null;
}

/** What the player has open: an `own` frame of the lobby socket. */
interface OwnFrame {
  seeks: OwnSeek[];
  begun: BegunMatch[];
  games: OwnGame[];
  challenges: Challenge[];
  declined: DeclinedChallenge[];
  offers: Offer[];
  others?: number;
  boards?: BoardChange[];
}

/** A row of a tournament's standings. */
interface StandingsRow {
  entry: number;
  rank: number;
  name: string;
  points: string;
  more?: string[];
  plays?: boolean;
  here?: boolean;
  gone?: boolean;
  streak?: number;
  number?: number;
}

interface TournamentFrame {
  now: number;
  stage: string;
  players: number;
  next_at: number | null;
  /** until an arena is over */
  arena: { entered: number; here: number; why: Message | null } | null;
  top?: StandingsRow[];
  results?: string;
  matches?: ListedMatch[];
  boards?: BoardChange[];
}

/* Elements that scripts look up are HTML elements unless a `@type` says otherwise. */
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** The sentences in the page's language, from the script that `games.messages.script` makes. */
declare var catalog: {
  formOf(count: number): number;
  /** for codes whose sentences are counted by another parameter than `count` */
  countedBy: Record<string, string>;
  standIns: Record<string, string>;
  sentences: Record<string, string | string[]>;
};
