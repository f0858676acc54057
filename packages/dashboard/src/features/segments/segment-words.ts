import type { Answer } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";

/** Words on segments. */
export const t = texts({
	en: {
		segment: "Segment",
		none: "No segment",
		own: "Saved",
		system: "Built-in",
		hint: "Saved filters appear here.",
		names: {} as Readonly<Record<string, string>>,
	},
	es: {
		segment: "Segmento",
		none: "Sin segmento",
		own: "Guardados",
		system: "Incluidos",
		hint: "Aquí verás los filtros guardados.",
		names: {
			"all-traffic": "Todas las visitas",
			"organic-search": "Búsqueda orgánica",
			"paid-search": "Búsqueda de pago",
			social: "Redes sociales",
			direct: "Directo",
			referral: "Referencias",
			mobile: "Móvil",
			desktop: "Ordenador",
		},
	},
});

/** A saved or built-in segment. */
export type Segment = Answer<"GET /segments">[number];

/** Its name in the reader's language, where it is one that every site has. */
export const nameOf = ({ name, display_name, is_system }: Segment): string =>
	(is_system && t.names[name]) || display_name;

/** Description by its author; built-in segments need none beyond name and conditions. */
export const descriptionOf = ({ description, is_system }: Segment): string | null => (is_system ? null : description);
