import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";

/** Of ten lines, as a shop's server writes them: three show a page, one of these to a program; five are files. */
export const USUAL_PAGES = 0.25;
const BOTS = 0.05;
const FILES = 0.85;
const VISITORS = 40_000;
const FIRST = Date.parse("2026-09-01T00:00:00Z");
const DAYS = 60;

const agents = [
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1@.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_@ like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.@ Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (X11; Linux x86_64; rv:1@.0) Gecko/20100101 Firefox/1@.0",
	"Mozilla/5.0 (Linux; Android 14; Pixel @) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1@.0.0.0 Mobile Safari/537.36",
];
const referrers = ["-", "-", "-", "https://www.google.com/", "https://news.example/story", "https://t.co/abc"];
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Writes a packed log of so many lines, in the order of their times: the same ones each time. `pages` is the share that people saw. */
export async function writeLog(path: string, lines: number, pages = USUAL_PAGES): Promise<void> {
	const random = createRandom(7);
	const step = (DAYS * 86_400_000) / lines;
	function* pieces() {
		let piece = "";
		for (let n = 0; n < lines; n++) {
			piece += line(n, FIRST + n * step);
			if (piece.length < 256 * 1024) continue;
			yield piece;
			piece = "";
		}
		yield piece;
	}
	const line = (n: number, at: number) => {
		const time = new Date(at).toUTCString();
		const stamp = `${time.slice(5, 7)}/${time.slice(8, 11)}/${time.slice(12, 16)}:${time.slice(17, 25)} +0000`;
		// The visitors change by the hour.
		const visitor = (Math.floor(at / 3_600_000) * 97 + random.below(200)) % VISITORS;
		const address = `10.${visitor >> 14}.${(visitor >> 7) & 127}.${visitor & 127}`;
		const kind = random.next();
		const isPage = kind < pages + BOTS;
		const target = isPage ? `/shop/page-${random.below(3000)}` : `/assets/file-${random.below(400)}.js`;
		const agent =
			kind > pages && isPage ? bot : (agents[visitor % agents.length] ?? "").replaceAll("@", String(visitor % 37));
		const referrer = isPage && random.chance(0.3) ? referrers[n % referrers.length] : "https://www.shop.example/shop";
		const [method, status] = isPage || kind < FILES ? ["GET", 200] : kind < 0.93 ? ["POST", 200] : ["GET", 404];
		return `${address} - - [${stamp}] "${method} ${target} HTTP/1.1" ${status} 5316 "${referrer}" "${agent}"\n`;
	};
	await pipeline(Readable.from(pieces()), createGzip({ level: 1 }), createWriteStream(path));
}
