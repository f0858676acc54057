import type { Random } from "../../packages/server/src/features/collecting/seed/random.ts";

/** A browser by the headers that tell of it. */
export interface BenchBrowser {
	readonly headers: readonly string[];
}

type Make = (random: Random) => readonly string[];

const version = (random: Random) => 138 + random.below(12);
const build = (random: Random) => `${random.below(9999)}.${random.below(250)}`;

const hints = (chromium: number, platform: string, mobile: boolean) => [
	`sec-ch-ua: "Chromium";v="${chromium}", "Google Chrome";v="${chromium}", "Not)A;Brand";v="99"`,
	`sec-ch-ua-mobile: ?${mobile ? 1 : 0}`,
	`sec-ch-ua-platform: "${platform}"`,
];

/** Families of browsers; build numbers and models make thousands of distinct user agents. */
const families: readonly Make[] = [
	(random) => {
		const chromium = version(random);
		const agent = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromium}.0.${build(random)} Safari/537.36`;
		return [`User-Agent: ${agent}`, ...hints(chromium, "Windows", false)];
	},
	(random) => {
		const chromium = version(random);
		const agent = `Mozilla/5.0 (Linux; Android ${11 + random.below(6)}; SM-G${900 + random.below(99)}B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromium}.0.${build(random)} Mobile Safari/537.36`;
		return [`User-Agent: ${agent}`, ...hints(chromium, "Android", true)];
	},
	(random) => [
		`User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_${random.below(8)} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${random.below(8)} Mobile/15E${100 + random.below(200)} Safari/604.1`,
	],
	(random) => [
		`User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${random.below(8)} Safari/605.1.${random.below(40)}`,
	],
	(random) => {
		const firefox = version(random);
		return [
			`User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:${firefox}.0) Gecko/20100101 Firefox/${firefox}.${random.below(9)}`,
		];
	},
];

/** Draws a browser. */
export function browsers(random: Random): BenchBrowser {
	const make = families[random.below(families.length)];
	return { headers: make === undefined ? [] : make(random) };
}
