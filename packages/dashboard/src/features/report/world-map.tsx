import { type PointerEvent, useMemo, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { country, exact, figure } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { limitsOf, shadeOf } from "../../lib/shades.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { comparedQuery, useSite, useSiteSearch } from "../site/index.ts";
import type { Row } from "./list-answer.ts";
import { columnOf, wordsOf } from "./list-words.ts";
import type { Column, List } from "./lists.ts";
import { NothingHere } from "./nothing-here.tsx";
import { useList } from "./use-list.ts";
import { useValueFilter } from "./use-value-filter.ts";
import world from "./world.generated.json";
import styles from "./world-map.module.css";

const t = texts({
	en: {
		summary: (metric: string, top: string) => `${metric} by country. Top: ${top}. See the Countries tab for all.`,
		legend: "Legend",
	},
	es: {
		summary: (metric: string, top: string) => `${metric} por país. Principales: ${top}. Todos en la pestaña Países.`,
		legend: "Leyenda",
	},
});

interface WorldMapProps {
	readonly list: List;
	readonly column: Column;
}

/** Countries shaded by a figure. The list beside it says the same in words. */
export function WorldMap({ list, column }: WorldMapProps) {
	const asked = comparedQuery(useSite().id, useSiteSearch());
	const query = useList(list, asked, { sort: column, isRising: false, search: "", page: 1, size: 1_000 });
	return (
		<Loaded
			query={query}
			skeleton={<div />}
			isEmpty={({ rows }) => rows.length === 0}
			empty={<NothingHere reason={wordsOf(list).empty} />}
		>
			{({ rows }) => <Drawing list={list} column={column} rows={rows} />}
		</Loaded>
	);
}

const shapes: readonly (readonly [string, string])[] = Object.entries(world.shapes);
const dots = Object.entries(world.dots);

function Drawing({ list, column, rows }: WorldMapProps & { readonly rows: readonly Row[] }) {
	const { currency } = useSite();
	const filter = useValueFilter(list.field);
	const frame = useRef<HTMLDivElement>(null);
	const [tip, setTip] = useState<{ code: string; left: number; top: number }>();
	const { label, kind } = columnOf(list, column);
	const values = useMemo(
		() => new Map(rows.map(({ value, figures }) => [value, figures[column] ?? 0])),
		[rows, column],
	);
	const limits = useMemo(() => limitsOf([...values.values()]), [values]);
	const partOf = (code: string) => ({
		"data-code": code,
		className: classes(
			styles.land,
			styles[`shade${shadeOf(limits, values.get(code) ?? 0)}`],
			filter.isChosen(code) && styles.chosen,
		),
	});
	const codeAt = (event: { target: EventTarget }) =>
		event.target instanceof SVGElement ? event.target.dataset["code"] : undefined;
	const point = (event: PointerEvent) => {
		const code = codeAt(event);
		const box = frame.current?.getBoundingClientRect();
		setTip(code && box ? { code, left: event.clientX - box.left, top: event.clientY - box.top } : undefined);
	};
	const top = rows.slice(0, 3).map((row) => `${country(row.value)} ${exact(row.figures[column] ?? 0, kind, currency)}`);
	return (
		<div ref={frame} className={styles.map}>
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of countries is the map's form for the keyboard. */}
			<svg
				viewBox={`0 0 ${world.width} ${world.height}`}
				role="img"
				aria-label={t.summary(label, top.join(", "))}
				onPointerMove={point}
				onPointerLeave={() => setTip(undefined)}
				onClick={(event) => {
					const code = codeAt(event);
					if (code !== undefined && values.has(code)) filter.choose(code, event.altKey ? "exclude" : "include");
				}}
			>
				{shapes.map(([code, shape]) => (
					<path key={code} d={shape} {...partOf(code)} />
				))}
				{dots.map(([code, [x, y]]) => values.has(code) && <circle key={code} cx={x} cy={y} r="3" {...partOf(code)} />)}
			</svg>
			<Legend limits={limits} write={(value) => figure(value, kind, currency)} />
			{tip && (
				<p className={styles.tip} style={{ left: tip.left, top: tip.top }}>
					<strong>{country(tip.code)}</strong> {exact(values.get(tip.code) ?? 0, kind, currency)}
				</p>
			)}
		</div>
	);
}

function Legend({ limits, write }: { readonly limits: readonly number[]; readonly write: (value: number) => string }) {
	return (
		<ul className={styles.legend} aria-label={t.legend}>
			{limits.map((limit, at) => (
				<li key={limit}>
					<span className={classes(styles.swatch, styles[`shade${at + 1}`])} /> {write(limit)}+
				</li>
			))}
		</ul>
	);
}
