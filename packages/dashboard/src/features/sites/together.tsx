import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { country, exact, figure } from "../../lib/format.ts";
import { plural, texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { metricOf, type Site, valueName } from "../site/index.ts";
import styles from "./together.module.css";

/** Words on all sites together. */
const t = texts({
	en: {
		together: "Combined view",
		range: (sites: number) => `${plural(sites, "1 site", `${sites} sites`)}, last 30 days vs previous period`,
		figures: "Metrics of all sites",
		lists: { sites: "Sites", sources: "Sources", pages: "Pages", countries: "Countries" },
		none: "No data in this period.",
		manyCurrencies: "Revenue is not shown because the sites use different currencies.",
		most: (sites: number) => `Includes only the first ${sites} sites.`,
	},
	es: {
		together: "Vista combinada",
		range: (sites: number) => `${plural(sites, "1 sitio", `${sites} sitios`)}, últimos 30 días vs. periodo anterior`,
		figures: "Métricas de todos los sitios",
		lists: { sites: "Sitios", sources: "Fuentes", pages: "Páginas", countries: "Países" },
		none: "No hay datos en este periodo.",
		manyCurrencies: "Los ingresos no se muestran porque los sitios usan monedas distintas.",
		most: (sites: number) => `Incluye solo los primeros ${sites} sitios.`,
	},
});

/** More would make the address of the question too long. */
const mostSites = 50;
const rowsShown = 7;

interface Bar {
	readonly name: string;
	readonly visits: number;
}

/** Combined figures and top rows of all sites, for superadmins. */
export function Together({ sites }: { readonly sites: readonly Site[] }) {
	const added = sites.slice(0, mostSites);
	const query = { account_ids: added.map(({ id }) => id), period: "30d" as const };
	const overview = useQuery(
		read("GET /stats/aggregate/overview", {
			query: {
				...query,
				compare: "previous",
				compare_align: "elapsed",
				include_per_account: true,
				include_series: false,
			},
		}),
	);
	const names = new Map(sites.map(({ id, name }) => [id, name]));
	return (
		<Card title={t.together} className={styles.together}>
			<p className="muted">{t.range(added.length)}</p>
			{sites.length > mostSites && <p className="muted">{t.most(mostSites)}</p>}
			<Loaded query={overview}>
				{(data) => (
					<>
						<Figures overview={data} sites={added} />
						<div className={styles.lists}>
							<Bars
								title={t.lists.sites}
								rows={(data.traffic.by_account ?? []).map(({ account_id: id, entrances }) => {
									return { name: names.get(id) ?? id, visits: entrances };
								})}
							/>
							<Lists query={query} />
						</div>
					</>
				)}
			</Loaded>
		</Card>
	);
}

interface FiguresProps {
	readonly overview: Answer<"GET /stats/aggregate/overview">;
	readonly sites: readonly Site[];
}

const shown = ["entrances", "page_views", "bounce_rate", "conversions", "conversion_rate"] as const;

function Figures({ overview, sites }: FiguresProps) {
	const { traffic, comparison } = overview;
	const currencies = new Set(sites.map(({ currency }) => currency));
	const [currency = "EUR"] = currencies;
	const hasOneCurrency = currencies.size === 1;
	const keys = hasOneCurrency ? ([...shown, "revenue"] as const) : shown;
	return (
		<Baseline value={baselineOf(overview)}>
			<dl className={styles.figures} aria-label={t.figures}>
				{keys.map((key) => {
					const { label, kind, good } = metricOf(key);
					return (
						<div key={key}>
							<dt>{label}</dt>
							<dd>
								<span className={styles.figure} title={exact(traffic[key], kind, currency)}>
									{figure(traffic[key], kind, currency)}
								</span>
								<Change now={traffic[key]} before={comparison?.[key]} kind={kind} good={good} currency={currency} />
							</dd>
						</div>
					);
				})}
			</dl>
			{!hasOneCurrency && <p className="muted">{t.manyCurrencies}</p>}
		</Baseline>
	);
}

function Lists({ query }: { readonly query: { readonly account_ids: string[]; readonly period: "30d" } }) {
	const page = { ...query, page_size: rowsShown };
	const sources = useQuery(read("GET /stats/aggregate/sources", { query: page }));
	const pages = useQuery(read("GET /stats/aggregate/pages", { query: { ...page, sort_by: "entrances" } }));
	const countries = useQuery(read("GET /stats/aggregate/geo/countries", { query: page }));
	return (
		<>
			<List title={t.lists.sources} query={sources} bar={(row) => bar(valueName("utm_source", row.utm_source), row)} />
			<List title={t.lists.pages} query={pages} bar={(row) => bar(valueName("path", row.path), row)} />
			<List title={t.lists.countries} query={countries} bar={(row) => bar(country(row.country), row)} />
		</>
	);
}

const bar = (name: string, { entrances }: { readonly entrances: number }): Bar => ({ name, visits: entrances });

interface ListProps<Row> {
	readonly title: string;
	readonly query: UseQueryResult<{ readonly data: readonly Row[] }, Error>;
	readonly bar: (row: Row) => Bar;
}

const List = <Row,>({ title, query, bar: barOf }: ListProps<Row>) => (
	<Loaded query={query}>{({ data }) => <Bars title={title} rows={data.map(barOf)} />}</Loaded>
);

/** Rows with a bar each, the longest first. */
function Bars({ title, rows }: { readonly title: string; readonly rows: readonly Bar[] }) {
	const sorted = rows.toSorted((a, b) => b.visits - a.visits).slice(0, rowsShown);
	return (
		<section aria-label={title}>
			<h3>{title}</h3>
			{sorted.length === 0 ? (
				<p className="muted">{t.none}</p>
			) : (
				<BarChart
					label={title}
					rows={sorted.map(({ name, visits }) => {
						const [text, whole] = [figure(visits, "count"), exact(visits, "count")];
						return { key: name, label: name, values: [{ value: visits, text, whole }] };
					})}
				/>
			)}
		</section>
	);
}
