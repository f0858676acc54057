import { texts } from "../../lib/language.ts";

/** Texts of the definitions. */
export const t = texts({
	en: {
		calculated: "How it is calculated",
		sql: "As SQL",
		copy: "Copy",
		copied: "Copied",
		example: "An example",
		story:
			"On the evening of 20 November Ann comes from a search and opens a page. After midnight she opens another one and buys for 12.99. Bob opens one page on the 21st and leaves.",
		of20: "20 November",
		of21: "21 November",
		both: "Both days",
		name: "Name in the API",
		unknown: "This figure has no definition.",
	},
	es: {
		calculated: "Cómo se calcula",
		sql: "En SQL",
		copy: "Copiar",
		copied: "Copiado",
		example: "Un ejemplo",
		story:
			"La noche del 20 de noviembre Ana llega desde un buscador y abre una página. Pasada la medianoche abre otra y compra por 12,99. El día 21 Bob abre una página y se va.",
		of20: "20 de noviembre",
		of21: "21 de noviembre",
		both: "Ambos días",
		name: "Nombre en la API",
		unknown: "Esta cifra no tiene definición.",
	},
});

/** What the metrics mean, by their names in the API. */
export const meanings = texts<Readonly<Record<string, string>>>({
	en: {
		entrances:
			"How often somebody came: the first page view of each visit. A visit ends after 30 minutes without a hit; coming back from another site begins a new one.",
		visitors:
			"How many different people began a visit on a day. Nobody is recognised on another day, so over several days it is the sum of daily visitors.",
		page_views: "How often a page was opened, also within applications that load only once.",
		engaged_entrances: "Visits with more than one page view.",
		bounce_rate: "The share of visits that saw one page only. Less is better.",
		visit_duration:
			"The time between the first and the last hit of a visit, on average. How long the last page was read is not known.",
		pages_per_session: "Page views for each visit, on average.",
		conversions: "Events that count as a goal, such as a purchase or a registration.",
		conversion_rate: "Conversions for each hundred visits, at most 100.",
		revenue: "The amounts of the conversions, in the site's currency. A refund is a conversion with a negative amount.",
		average_order_value: "Revenue per conversion that has an amount, on average.",
		microconversions: "Events without an amount: a click, a scroll, a download.",
	},
	es: {
		entrances:
			"Cuántas veces llegó alguien: la primera página de cada visita. Una visita termina tras 30 minutos sin actividad; volver desde otro sitio empieza una nueva.",
		visitors:
			"Cuántas personas distintas empezaron una visita en un día. Nadie se reconoce de un día para otro, así que en varios días es la suma de los visitantes diarios.",
		page_views: "Cuántas veces se abrió una página, también en aplicaciones que solo se cargan una vez.",
		engaged_entrances: "Visitas con más de una página vista.",
		bounce_rate: "La parte de las visitas que vio una sola página. Menos es mejor.",
		visit_duration:
			"El tiempo medio entre la primera y la última actividad de una visita. No se sabe cuánto se leyó la última página.",
		pages_per_session: "Páginas vistas por visita, de media.",
		conversions: "Eventos que cuentan como objetivo, como una compra o un registro.",
		conversion_rate: "Conversiones por cada cien visitas, como máximo 100.",
		revenue:
			"Los importes de las conversiones, en la moneda del sitio. Una devolución es una conversión con importe negativo.",
		average_order_value: "Ingresos por conversión con importe, de media.",
		microconversions: "Eventos sin importe: un clic, un desplazamiento, una descarga.",
	},
});
