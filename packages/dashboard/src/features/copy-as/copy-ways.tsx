import { addressOf, type Route } from "../../api/client.ts";
import { send } from "../../api/session.ts";
import { copy } from "../../lib/clipboard.ts";
import { csvOfRecords } from "../../lib/csv.ts";
import { todayIn } from "../../lib/days.ts";
import { Failure, failureOf } from "../../lib/failure.ts";
import { days as daysText } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { sqlOf } from "../definitions/index.ts";
import { comparedDays, daysOf, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./copy-as.module.css";
import { curlOf } from "./curl.ts";
import { requestOf } from "./requests.ts";

/** Words of the ways to take figures elsewhere. */
const t = texts({
	en: {
		link: "Link to this view",
		curl: "curl command",
		csv: "CSV of the data",
		sql: "SQL of the metric",
		sqlAsked: "SQL of the query",
		question: "Question for an assistant",
		copied: (what: string) => `Copied: ${what}`,
		failed: "The browser didn't allow copying.",
		asks: (about: string, name: string, id: string, days: string) =>
			`Look at “${about}” of the site ${name} (${id}), ${days}`,
		comparedTo: (days: string) => `, compared with ${days}`,
		underFilters: (filters: string) => `, with the filters ${filters}`,
		segment: (name: string) => `segment ${name}`,
		wants: ". What stands out?",
		wantsChange: ". What stands out, and which values explain the change?",
	},
	es: {
		link: "Enlace a esta vista",
		curl: "Orden de curl",
		csv: "CSV de los datos",
		sql: "SQL de la métrica",
		sqlAsked: "SQL de la consulta",
		question: "Pregunta para un asistente",
		copied: (what: string) => `Copiado: ${what}`,
		failed: "El navegador no permitió copiar.",
		asks: (about: string, name: string, id: string, days: string) =>
			`Mira «${about}» del sitio ${name} (${id}), ${days}`,
		comparedTo: (days: string) => `, en comparación con ${days}`,
		underFilters: (filters: string) => `, con los filtros ${filters}`,
		segment: (name: string) => `segmento ${name}`,
		wants: ". ¿Qué llama la atención?",
		wantsChange: ". ¿Qué llama la atención y qué valores explican el cambio?",
	},
});

/**
 * The statement by which the service answers a question; values stand in it by their names.
 * @throws {Failure} with the API's code.
 */
async function sqlAsked(route: Route, params: object): Promise<string> {
	const { address, body } = requestOf(route, { ...params, explain: true }, addressOf);
	const response = await send(
		address,
		body === undefined ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } },
	);
	if (!response.ok) throw await failureOf(response);
	const { meta } = (await response.json()) as { readonly meta?: { readonly sql?: string } };
	return meta?.sql ?? "";
}

/** A question to an assistant that reads the same figures, with the period and filters of the address. */
function useQuestion(about: string): string {
	const site = useSite();
	const search = useSiteSearch();
	const days = daysOf(search, todayIn(site.timezone));
	const before = comparedDays(search, days);
	const conditions = [...(search.segment === undefined ? [] : [t.segment(search.segment)]), ...search.f];
	return [
		t.asks(about, site.name, site.id, daysText(days.from, days.to)),
		before && t.comparedTo(daysText(before.from, before.to)),
		conditions.length > 0 && t.underFilters(conditions.join(", ")),
		before === undefined ? t.wants : t.wantsChange,
	]
		.filter(Boolean)
		.join("");
}

/** Figures that can be taken elsewhere. */
export interface Copied {
	/** Their name on the screen. */
	readonly about: string;
	/** The route that answers with these figures, and its input. */
	readonly route: Route;
	readonly params: object;
	/** The figures by the API's names; absent while they are not there. */
	readonly rows?: (() => readonly object[] | Promise<readonly object[]>) | undefined;
	/** The statement by which the service answered, where its route tells it; or the definition of a metric. */
	readonly sql?: "asked" | { readonly metric: string };
}

type Make = () => string | Promise<string | undefined>;

/** The ways to take figures elsewhere, as far as there are any. */
export function CopyWays({ about, route, params, rows, sql, close }: Copied & { readonly close: () => void }) {
	const site = useSite();
	const days = daysOf(useSiteSearch(), todayIn(site.timezone));
	const question = useQuestion(about);
	const ways: readonly (readonly [string, Make | undefined])[] = [
		[t.link, () => location.href],
		[t.curl, () => curlOf(location.origin, route, params, addressOf)],
		[t.csv, rows && (async () => csvOfRecords(await rows()))],
		[t.sqlAsked, sql === "asked" ? () => sqlAsked(route, params) : undefined],
		[t.sql, typeof sql === "object" ? () => sqlOf(sql.metric, { site: site.id, ...days }) : undefined],
		[t.question, () => question],
	];
	return (
		<ul>
			{ways.map(
				([label, make]) =>
					make && (
						<li key={label}>
							<button
								type="button"
								className={styles.way}
								onClick={() => {
									close();
									void copyMade(label, make);
								}}
							>
								{label}
							</button>
						</li>
					),
			)}
		</ul>
	);
}

async function copyMade(label: string, make: Make): Promise<void> {
	try {
		await copy((await make()) ?? "");
		toast(t.copied(label));
	} catch (error) {
		toast(error instanceof Failure ? error.message : t.failed);
	}
}
