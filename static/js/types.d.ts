/* Types of what the server sends. They exist for `tsc` only; no page loads this file. */

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
