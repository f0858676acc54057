import { lazy, Suspense } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { useNear } from "../../lib/use-near.ts";
import { useChangeSearch } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import styles from "./list-cards.module.css";

const HoursCard = lazy(async () => ({ default: (await import("./hours-card.tsx")).HoursCard }));
const WorldMap = lazy(async () => ({ default: (await import("./world-map.tsx")).WorldMap }));

const t = texts({
	en: {
		from: "Where visits come from",
		pages: "What visits see",
		where: "Where visitors are",
		map: "Map",
		devices: "What visitors use",
		goals: "What visits achieve",
		search: "Search in the list that has the focus, or in the first one",
	},
	es: {
		from: "De dónde vienen las visitas",
		pages: "Qué ven las visitas",
		where: "Dónde están los visitantes",
		map: "Mapa",
		devices: "Qué usan los visitantes",
		goals: "Qué logran las visitas",
		search: "Buscar en la lista enfocada, o en la primera",
	},
});

/** Where visits come from, what they see, where they are, what they use. */
export function ListCards() {
	const change = useChangeSearch();
	useShortcuts([
		{
			key: "/",
			label: t.search,
			run: () => change({ panel: listAtHand(), sort: undefined, q: undefined, page: undefined }),
		},
	]);
	return (
		<div className={styles.cards}>
			<ListCard
				label={t.from}
				tabs={["channels", "sources", "mediums", "referrers", "campaigns"]}
				rare={["terms", "contents"]}
			/>
			<ListCard label={t.pages} tabs={["pages", "landing-pages", "exit-pages", "content-groups"]} />
			<ListCard
				label={t.where}
				tabs={["countries"]}
				picture={{
					label: t.map,
					of: "countries",
					draw: (list, column) => (
						<Suspense>
							<WorldMap list={list} column={column} />
						</Suspense>
					),
				}}
			/>
			<ListCard label={t.devices} tabs={["devices", "browsers", "systems"]} />
			<ListCard label={t.goals} tabs={["conversions", "microconversions", "properties"]} />
			<HoursWhenNear />
		</div>
	);
}

/** What is far below takes no line from what one sees: its script comes as late as its figures. */
function HoursWhenNear() {
	const [ref, isNear] = useNear<HTMLDivElement>();
	return (
		<div ref={ref} className={styles.later}>
			<Suspense>{isNear && <HoursCard />}</Suspense>
		</div>
	);
}

/** The list of the card that has the focus; else the first one of the screen. */
function listAtHand(): string | undefined {
	const card = document.activeElement?.closest("section");
	const body = card?.querySelector<HTMLElement>("[data-list]") ?? document.querySelector<HTMLElement>("[data-list]");
	return body?.dataset["list"];
}
