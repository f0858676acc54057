import type { InsightTexts, Told } from "./told.ts";

const weeks = ({ value, baseline }: Told) => `${value} en los últimos 7 días, ${baseline} en los 7 anteriores.`;

export const insightsInSpanish: InsightTexts = {
	tracking_broken: {
		group: "Medición",
		title: () => "Ningún hit en 24 horas",
		description: ({ baseline }) => `No llega nada desde ayer; lo habitual son ${baseline} hits al día.`,
		recommendation: () =>
			"Comprueba que el sitio funciona y que sus páginas siguen cargando el código: puede haberlo quitado una plantilla nueva, un aviso de consentimiento o una política de contenido.",
	},
	traffic_drop: {
		group: "Menos visitas",
		title: ({ change }) => `Las visitas bajaron un ${change}`,
		description: (told) => `Visitas: ${weeks(told)}`,
		recommendation: () =>
			"Mira qué fuentes y páginas de entrada perdieron visitas. Si fueron todas, comprueba que cada página conserva el código.",
	},
	traffic_spike: {
		group: "Más visitas",
		title: ({ change }) => `Las visitas subieron un ${change}`,
		description: (told) => `Visitas: ${weeks(told)}`,
		recommendation: () => "Mira de dónde vienen las visitas nuevas y si convierten: lo que funciona se puede repetir.",
	},
	conversion_drop: {
		group: "Tasa de conversión más baja",
		title: ({ change }) => `La tasa de conversión bajó un ${change}`,
		description: (told) => `Conversiones por visita: ${weeks(told)}`,
		recommendation: () =>
			"Haz tú el proceso de compra, también en un móvil, y mira qué cambió en sus páginas estos días.",
	},
	conversion_spike: {
		group: "Tasa de conversión más alta",
		title: ({ change }) => `La tasa de conversión subió un ${change}`,
		description: (told) => `Conversiones por visita: ${weeks(told)}`,
		recommendation: () => "Averigua qué cambió y lleva más visitas a las páginas que ganaron.",
	},
	revenue_drop: {
		group: "Menos ingresos",
		title: ({ change }) => `Los ingresos bajaron un ${change}`,
		description: (told) => `Ingresos: ${weeks(told)}`,
		recommendation: () =>
			"Mira si hay menos visitas, menos pedidos por visita o pedidos más pequeños: cada caso tiene otra causa.",
	},
	revenue_spike: {
		group: "Más ingresos",
		title: ({ change }) => `Los ingresos subieron un ${change}`,
		description: (told) => `Ingresos: ${weeks(told)}`,
		recommendation: () => "Mira qué fuentes los trajeron y si se deben a unos pocos pedidos grandes.",
	},
	bounce_rate_rise: {
		group: "Tasa de rebote más alta",
		title: ({ change }) => `La tasa de rebote subió un ${change}`,
		description: (told) => `Visitas de una sola página: ${weeks(told)}`,
		recommendation: () => "Mira las páginas de entrada con más visitas: ¿cargan rápido y dicen lo que se prometió?",
	},
	channel_drop: {
		group: "Canales con menos visitas",
		title: ({ entity, change }) => `${entity}: ${change} menos de visitas`,
		description: (told) => `Visitas del canal ${told.entity}: ${weeks(told)}`,
		recommendation: ({ entity }) => `Comprueba qué cambió en ${entity}: presupuestos, posiciones, enlaces, etiquetas.`,
	},
	campaign_drop: {
		group: "Campañas con menos visitas",
		title: ({ entity, change }) => `Campaña ${entity}: ${change} menos de visitas`,
		description: (told) => `Visitas de la campaña ${told.entity}: ${weeks(told)}`,
		recommendation: () =>
			"Comprueba que la campaña sigue en marcha, que le queda presupuesto y que sus enlaces llevan sus etiquetas.",
	},
	country_shift: {
		group: "Países cuya parte cambió",
		title: ({ entity, value, baseline }) => `${entity}: ${value} de las visitas, antes ${baseline}`,
		description: (told) => `Parte de las visitas desde ${told.entity}: ${weeks(told)}`,
		recommendation: ({ isRise }) =>
			isRise
				? "Mira qué fuente trae estas visitas y si son personas a las que puedes atender."
				: "Mira qué fuente perdió estas visitas: puede haber terminado una campaña para este país.",
	},
	device_gap: {
		group: "Dispositivos que convierten menos",
		title: ({ entity, other }) => `${entity} convierte menos de la mitad que ${other}`,
		description: ({ entity, other, value, baseline }) =>
			`Conversiones por visita: ${value} en ${entity}, ${baseline} en ${other}.`,
		recommendation: ({ entity }) =>
			`Compra tú algo en ${entity}: los formularios, el pago y la velocidad son lo que más cambia.`,
	},
	landing_page_bounce: {
		group: "Páginas de entrada con más rebote",
		title: ({ entity, change }) => `${entity}: la tasa de rebote subió un ${change}`,
		description: (told) => `Visitas que empiezan en ${told.entity} y no ven una segunda página: ${weeks(told)}`,
		recommendation: () =>
			"Abre la página como sus visitantes: ¿está completa, es rápida y es lo que promete el enlace?",
	},
	concentration_risk: {
		group: "Fuentes de las que depende casi todo",
		title: ({ entity, value }) => `${value} de las visitas vienen de ${entity}`,
		description: ({ entity, limit }) =>
			`Si ${entity} cambia, se va con ella la mayoría de las visitas. Hasta ${limit} es habitual.`,
		recommendation: () => "Crea una segunda fuente: un boletín, buscadores o socios.",
	},
	data_health: {
		group: "Hits rechazados",
		title: ({ value }) => `Se rechazó el ${value} de los hits`,
		description: ({ value, limit }) =>
			`En las últimas 24 horas no se contó el ${value} de los hits; hasta ${limit} es habitual.`,
		recommendation: () =>
			"La página de instalación nombra los motivos y los hosts: lo más frecuente es que falte un dominio.",
	},
	bot_share: {
		group: "Bots",
		title: ({ value }) => `El ${value} de los hits parecen bots`,
		description: ({ value, baseline }) =>
			`Hits sospechosos: ${value} en los últimos 7 días, ${baseline} en los 7 anteriores.`,
		recommendation: () => "Mira las puntuaciones y baja el umbral del sitio si algunos se cuentan.",
	},
};
