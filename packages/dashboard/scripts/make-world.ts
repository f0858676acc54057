// Writes `src/features/report/world.generated.json`: the outline of each country as the text of an SVG path, by its
// ISO code, drawn once so that no browser has to project anything.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ExtendedFeature, type GeoGeometryObjects, geoArea, geoCentroid, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import { presimplify, simplify, sphericalTriangleArea } from "topojson-simplify";

const width = 960;
const height = 440;
/** Corners smaller than this are cut, alike for both neighbours; steradian, of which a square unit has 4e-5 at the equator: what is lost is smaller than a line of the map. */
const leastCorner = 1.35e-4;
/** A country below this size is a dot as well, so that it can be seen and met. */
const smallest = 12;

type Country = ExtendedFeature<GeoGeometryObjects, { name: string }> & { id?: string };

const full: Parameters<typeof presimplify>[0] = JSON.parse(
	readFileSync(fileURLToPath(import.meta.resolve("world-atlas/countries-50m.json")), "utf8"),
);
const atlas: Parameters<typeof feature>[0] = simplify(presimplify(full, sphericalTriangleArea), leastCorner);
const countries = atlas.objects["countries"];
if (countries === undefined) throw new Error("The atlas has no countries");
const world = feature(atlas, countries) as unknown as { readonly features: readonly Country[] };
const shown = world.features.filter(({ id }) => id !== "010");
const projection = geoNaturalEarth1().fitExtent(
	[
		[2, 2],
		[width - 2, height - 2],
	],
	{ type: "FeatureCollection", features: [...shown] },
);

/** ISO 3166 numbers and letters name the same regions: the browser's own tables know which. */
function codeOf({ id, properties }: Country): string | undefined {
	if (properties.name === "Kosovo") return "XK";
	const region = id === undefined ? undefined : new Intl.Locale(`und-${id}`).region;
	return region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined;
}

type Point = readonly [number, number];

const draw = geoPath(projection);

/** The rings of a country in whole units, cut where the map ends. */
function ringsOf(country: Country): Point[][] {
	const rings = (draw(country) ?? "").split("Z").map((ring) =>
		ring
			.replace("M", "")
			.split("L")
			.map((pair) => pair.split(",").map(Number)),
	);
	return rings.map((ring) => ring.map(([x = Number.NaN, y = Number.NaN]): Point => [Math.round(x), Math.round(y)]));
}

/** Twice the area that a ring encloses. */
const areaOf = (points: readonly Point[]): number =>
	Math.abs(
		points.reduce((sum, [x, y], at) => {
			const [nextX, nextY] = points[(at + 1) % points.length] ?? [x, y];
			return sum + x * nextY - nextX * y;
		}, 0),
	);

/** Steps from point to point take fewer signs than places. */
function textOf(points: readonly Point[]): string {
	let [x, y] = points[0] ?? [0, 0];
	let text = `M${x},${y}l`;
	for (const [nextX, nextY] of points.slice(1)) {
		if (nextX === x && nextY === y) continue;
		text += `${text.endsWith("l") || nextX < x ? "" : " "}${nextX - x}${nextY < y ? "" : ","}${nextY - y}`;
		[x, y] = [nextX, nextY];
	}
	return `${text}z`;
}

const shapes: Record<string, string> = {};
const dots: Record<string, Point> = {};
for (const country of shown) {
	const code = codeOf(country);
	if (code === undefined) continue;
	const rings = ringsOf(country)
		.filter((points) => points.length > 2)
		.sort((a, b) => areaOf(b) - areaOf(a));
	const [largest, ...rest] = rings;
	const kept = [largest, ...rest.filter((points) => areaOf(points) > 4)].filter((points) => points !== undefined);
	if (kept.length > 0 && areaOf(largest ?? []) > 0) shapes[code] = (shapes[code] ?? "") + kept.map(textOf).join("");
	if (shapes[code] === undefined || areaOf(largest ?? []) < smallest) {
		const centre = projection(geoCentroid(country));
		if (centre && geoArea(country) < 1) dots[code] = [Math.round(centre[0]), Math.round(centre[1])];
	}
}
const sorted = <T>(record: Record<string, T>) =>
	Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
const file = fileURLToPath(new URL("../src/features/report/world.generated.json", import.meta.url));
writeFileSync(file, `${JSON.stringify({ width, height, shapes: sorted(shapes), dots: sorted(dots) })}\n`);
