/* A catalog as the server makes one for each language, with a plural of three forms. */

export const formOf = (n) => (n === 1 ? 0 : n > 1 && n < 5 ? 1 : 2);
export const countedBy = { "test.moves": "ply" };
export const standIns = { "Hidden player": "Nobody you know" };
export const sentences = {
  "test.plain": "Nothing to fill in",
  "test.named": "{name} plays {game}",
  "test.twice": "{name}, {name}",
  "test.games": ["{count} game", "{count} games", "{count} many games"],
  "test.moves": ["after {ply} move", "after {ply} moves", "after {ply} many moves"],
  "six.name": "Six in a Row",
  "tournament.days": ["{count} day", "{count} days", "{count} many days"],
};
