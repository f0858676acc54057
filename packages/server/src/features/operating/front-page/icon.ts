import { squarePng } from "../../../platform/lib/png.ts";

/** Two steps, one before the other; `#` is black. */
const fields = [
	"................",
	".........###....",
	"........#####...",
	"........#####...",
	"........#####...",
	".........###....",
	"...###..........",
	"..#####..###....",
	"..#####..###....",
	"..#####.........",
	"...###..........",
	"................",
	"...###..........",
	"...###..........",
	"................",
	"................",
];
const SCALE = 4;

/** The mark of the service, a PNG of 64 by 64 pixels. */
export const icon: Buffer = squarePng(fields.length, SCALE, (row, column) => fields[row]?.[column] === "#");
