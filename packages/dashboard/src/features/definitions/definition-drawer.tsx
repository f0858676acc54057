import { Copy } from "lucide-react";
import { copy } from "../../lib/clipboard.ts";
import { todayIn } from "../../lib/days.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { daysOf, type Metric, metrics, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./definition-drawer.module.css";
import { definitionOf, statementOf } from "./statement.ts";

/** Texts of the definitions. */
const t = texts({
	en: {
		calculated: "How it is calculated",
		sql: "SQL",
		copy: "Copy",
		copied: "Copied",
		example: "Example",
		story:
			"On the evening of 20 November Ann comes from a search and opens a page. After midnight she opens another one and buys for 12.99. Bob opens one page on the 21st and leaves.",
		of20: "20 November",
		of21: "21 November",
		both: "Both days",
		name: "Name in the API",
		unknown: "This metric has no definition.",
	},
	es: {
		calculated: "Cómo se calcula",
		sql: "SQL",
		copy: "Copiar",
		copied: "Copiado",
		example: "Ejemplo",
		story:
			"La noche del 20 de noviembre Ana llega desde un buscador y abre una página. Pasada la medianoche abre otra y compra por 12,99. El día 21 Bob abre una página y se va.",
		of20: "20 de noviembre",
		of21: "21 de noviembre",
		both: "Ambos días",
		name: "Nombre en la API",
		unknown: "Esta métrica no tiene definición.",
	},
});

/** Meanings of the metrics, by their API names. */
const meanings = texts<Readonly<Record<string, string>>>({
	en: {
		entrances:
			"The number of visits, counted by the first page view of each. A visit ends after 30 minutes of inactivity; returning from another site starts a new one.",
		visitors:
			"Different people who started a visit on a day. Visitors aren't recognised across days, so several days show the sum of daily visitors.",
		page_views: "How often pages were opened, including route changes in single-page applications.",
		engaged_entrances: "Visits with more than one page view.",
		bounce_rate: "The share of visits with a single page view. Lower is better.",
		visit_duration: "The average time between the first and the last hit of a visit. Time on the last page is unknown.",
		pages_per_session: "Average page views per visit.",
		conversions: "Events that count as a goal, such as a purchase or a registration.",
		conversion_rate: "Conversions per hundred visits, at most 100.",
		revenue: "The sum of conversion amounts in the site's currency. A refund is a conversion with a negative amount.",
		average_order_value: "Revenue per conversion that has an amount, on average.",
		microconversions: "Events without an amount: a click, a scroll, a download.",
	},
	es: {
		entrances:
			"El número de visitas, contadas por la primera página de cada una. Una visita termina tras 30 minutos de inactividad; volver desde otro sitio empieza una nueva.",
		visitors:
			"Personas distintas que empezaron una visita en un día. Los visitantes no se reconocen entre días, así que varios días muestran la suma de los visitantes diarios.",
		page_views: "Cuántas veces se abrieron páginas, incluidos los cambios de ruta en aplicaciones de una sola página.",
		engaged_entrances: "Visitas con más de una página vista.",
		bounce_rate: "La proporción de visitas con una sola página vista. Menos es mejor.",
		visit_duration:
			"El tiempo medio entre la primera y la última actividad de una visita. El tiempo en la última página se desconoce.",
		pages_per_session: "Páginas vistas por visita, de media.",
		conversions: "Eventos que cuentan como objetivo, como una compra o un registro.",
		conversion_rate: "Conversiones por cada cien visitas, como máximo 100.",
		revenue:
			"La suma de los importes de las conversiones en la moneda del sitio. Una devolución es una conversión con importe negativo.",
		average_order_value: "Ingresos por conversión con importe, de media.",
		microconversions: "Eventos sin importe: un clic, un desplazamiento, una descarga.",
	},
});

/** Definition of a metric: in words, as a formula, as SQL for the selected period, and by an example. */
export function DefinitionDrawer({ metric: key }: { readonly metric: string }) {
	const change = useChangeSearch();
	const metric = (metrics as Readonly<Record<string, Metric>>)[key];
	const definition = definitionOf(key);
	return (
		<Dialog title={metric?.label ?? key} shape="drawer" onClose={() => change({ panel: undefined })}>
			<div className={styles.definition}>
				<p className={styles.meaning}>{meanings[key] ?? t.unknown}</p>
				{definition?.formula && (
					<section>
						<h3>{t.calculated}</h3>
						<code className={styles.formula}>{definition.formula}</code>
					</section>
				)}
				<Sql metric={key} />
				{definition && <Example of={definition.example} />}
				<p className="muted">
					{t.name}: <code>{key}</code>
				</p>
			</div>
		</Dialog>
	);
}

function Sql({ metric }: { readonly metric: string }) {
	const site = useSite();
	const days = daysOf(useSiteSearch(), todayIn(site.timezone));
	const sql = statementOf(metric, { site: site.id, ...days });
	if (sql === undefined) return null;
	return (
		<section>
			<header className={styles.head}>
				<h3>{t.sql}</h3>
				<Button look="quiet" small onClick={() => void copy(sql).then(() => toast(t.copied))}>
					<Copy size={14} aria-hidden="true" />
					{t.copy}
				</Button>
			</header>
			<pre className={styles.sql}>{sql}</pre>
		</section>
	);
}

function Example({ of: [first, second] }: { readonly of: readonly [string, string] | readonly [string] }) {
	return (
		<section>
			<h3>{t.example}</h3>
			<p>{t.story}</p>
			<dl className={styles.results}>
				<dt>{second === undefined ? t.both : t.of20}</dt>
				<dd>{first}</dd>
				{second !== undefined && (
					<>
						<dt>{t.of21}</dt>
						<dd>{second}</dd>
					</>
				)}
			</dl>
		</section>
	);
}
