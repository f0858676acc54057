import { type ComponentProps, Suspense } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { useNear } from "../../lib/use-near.ts";
import { isHidden, mayShow, useChangeSearch } from "../site/index.ts";
import { hoursTitle } from "./hours-words.ts";
import { ListCard, type ListCardProps } from "./list-card.tsx";
import styles from "./list-cards.module.css";
import { sharedNameOf } from "./shared-name.ts";

const HoursCard = lazily(async () => ({ default: (await import("./hours-card.tsx")).HoursCard }));
const WorldMap = lazily(async () => ({ default: (await import("./world-map.tsx")).WorldMap }));

const t = texts({
	en: {
		from: "Sources",
		pages: "Pages",
		where: "Locations",
		map: "Map",
		devices: "Devices",
		goals: "Goals",
		search: "Search the current list",
	},
	es: {
		from: "Fuentes",
		pages: "Páginas",
		where: "Ubicaciones",
		map: "Mapa",
		devices: "Dispositivos",
		goals: "Objetivos",
		search: "Buscar en la lista actual",
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
			<Lists
				label={t.from}
				tabs={["channels", "sources", "mediums", "referrers", "campaigns"]}
				rare={["terms", "contents"]}
			/>
			<Lists label={t.pages} tabs={["pages", "landing-pages", "exit-pages", "content-groups"]} />
			<Lists
				label={t.where}
				tabs={["countries"]}
				picture={
					isHidden("map")
						? undefined
						: {
								label: t.map,
								of: "countries",
								draw: (list, column) => <MapWhenSeen list={list} column={column} />,
							}
				}
			/>
			<Lists label={t.devices} tabs={["devices", "browsers", "systems"]} />
			<Lists label={t.goals} tabs={["conversions", "microconversions", "properties"]} />
			{mayShow("hours") && <HoursWhenNear />}
		</div>
	);
}

/** Its shapes are a third of the report's scripts: they are loaded for a reader who gets that far. */
function MapWhenSeen(props: ComponentProps<typeof WorldMap>) {
	const [ref, isSeen] = useNear<HTMLDivElement>(0);
	return (
		<div ref={ref} className={styles.map}>
			{isSeen && (
				<Suspense>
					<WorldMap {...props} />
				</Suspense>
			)}
		</div>
	);
}

/** Loaded when it comes near the viewport, so that it does not compete with visible parts. */
function HoursWhenNear() {
	const [ref, isNear] = useNear<HTMLDivElement>();
	return (
		<div ref={ref} className={styles.later}>
			{isNear ? (
				<Suspense>
					<HoursCard />
				</Suspense>
			) : (
				<section aria-label={hoursTitle} />
			)}
		</div>
	);
}

/** The list of the card that has the focus; else the first one of the screen. */
function listAtHand(): string | undefined {
	const card = document.activeElement?.closest("section");
	const body = card?.querySelector<HTMLElement>("[data-list]") ?? document.querySelector<HTMLElement>("[data-list]");
	return body?.dataset["list"];
}

/** A card with those of its lists that may be seen; none without any. */
function Lists({ tabs, ...card }: ListCardProps) {
	const shown = tabs.filter((key) => mayShow(sharedNameOf(key)));
	return shown.length > 0 && <ListCard {...card} tabs={shown} />;
}
