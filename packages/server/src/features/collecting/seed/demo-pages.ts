import { byRank, weighted } from "./random.ts";

export interface DemoPage {
	readonly path: string;
	readonly group: string;
}

const topics = [
	"trail-shoes rain-jackets tents sleeping-bags backpacks stoves headlamps climbing-ropes water-filters maps",
	"first-aid merino-shirts gloves snow-shoes trekking-poles bivouac hammocks dry-bags kayaks bike-bags",
].flatMap((line) => line.split(" "));
const angles = "how-to-choose test-2026 care for-beginners weekend-tour packing-list under-100-euro".split(" ");
const series = ["alpine", "ridge", "summit", "valley", "glacier", "forest", "coast", "meadow", "canyon", "arctic"];
const cities = ["berlin", "madrid", "paris", "milan", "vienna", "lisbon", "warsaw", "zurich"];

const top: readonly DemoPage[] = [
	{ path: "/", group: "home" },
	{ path: "/shop", group: "shop" },
	{ path: "/sale", group: "shop" },
	{ path: "/pricing", group: "service" },
	{ path: "/rental", group: "service" },
	{ path: "/journal", group: "journal" },
	{ path: "/about", group: "company" },
	{ path: "/contact", group: "company" },
	{ path: "/jobs", group: "company" },
	...cities.map((city) => ({ path: `/stores/${city}`, group: "stores" })),
];
const products: readonly DemoPage[] = topics.flatMap((topic) =>
	series.map((name, index) => ({ path: `/shop/${topic}/${name}-${(index + 1) * 10}`, group: "shop" })),
);
const articles: readonly DemoPage[] = topics.flatMap((topic) =>
	angles.map((angle) => ({ path: `/journal/${topic}-${angle}`, group: "journal" })),
);

/** Products and articles take turns, so that both are among the popular ones. */
const tamePages: readonly DemoPage[] = [
	...top,
	...products.flatMap((product, index) => {
		const article = articles[index];
		return article === undefined ? [product] : [product, article];
	}),
];

const wildPages = (): DemoPage[] => [
	...tamePages,
	...Array.from({ length: 200_000 - tamePages.length }, (_, index) => ({
		path: `/archive/${(index * 7919) % 10_007}/entry-${index}`,
		group: "archive",
	})),
];

/** Draws pages by popularity: a few hundred, or 200,000 when `wild`. */
export const drawPage = (wild: boolean) => weighted(byRank(wild ? wildPages() : tamePages, wild ? 0.8 : 1));

/** A product line: its name and its price in the shop's currency. */
export const productLines = products.map(({ path }, index) => ({
	sku: `P-${1000 + index}`,
	name: path.slice("/shop/".length),
	price: 9.95 + ((index * 37) % 240),
}));
