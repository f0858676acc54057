import type { InputHTMLAttributes } from "react";
import type { Input } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import type { Site } from "../site/index.ts";
import { currencies } from "../sites/index.ts";

/** A setting of a site that the form shows; one without `field` has a control of its own. */
interface Setting {
	readonly label: string;
	readonly hint?: string;
	readonly field?: {
		/** Attributes of its input: a number, a checkbox or a text by the type. */
		readonly input?: InputHTMLAttributes<HTMLInputElement>;
		/** The values of a choice; `zones` are all time zones. */
		readonly choices?: "zones" | readonly string[];
		/** Beside its neighbour, where there is room. */
		readonly isHalf?: true;
	};
}

type SettingName = keyof Input<"PATCH /sites/{id}">["body"] & keyof Site;

/** Settings of a site in the order of their form: it, the request, the facts for readers and names in the audit log follow. */
const settings: Readonly<Record<SettingName, Setting>> = {
	name: { label: texts({ en: "Name", es: "Nombre" }), field: { input: { maxLength: 255, required: true } } },
	timezone: {
		...texts({
			en: {
				label: "Time zone",
				hint: "Used for the start and end of each day. A change applies to new data; existing data keeps its days and hours.",
			},
			es: {
				label: "Zona horaria",
				hint: "Determina el inicio y el fin de cada día. Un cambio se aplica a los datos nuevos; los existentes conservan sus días y horas.",
			},
		}),
		field: { choices: "zones", isHalf: true },
	},
	currency: {
		...texts({
			en: { label: "Currency", hint: "Currency of your revenue. Existing amounts are not converted." },
			es: { label: "Moneda", hint: "Moneda de tus ingresos. Los importes existentes no se convierten." },
		}),
		field: { choices: currencies, isHalf: true },
	},
	bot_threshold: {
		...texts({
			en: {
				label: "Bot threshold",
				hint: "1 to 100. Future hits scoring higher are excluded from reports; 80 suits most sites.",
			},
			es: {
				label: "Umbral de bots",
				hint: "De 1 a 100. Los datos futuros con una puntuación mayor se excluyen de los informes; 80 va bien para casi todos.",
			},
		}),
		field: { input: { type: "number", min: 1, max: 100, step: 1, required: true } },
	},
	is_active: { label: texts({ en: "Active", es: "Activo" }) },
	automatic_events: { label: texts({ en: "Automatic events", es: "Eventos automáticos" }) },
	goals: { label: texts({ en: "Conversions without code", es: "Conversiones sin código" }) },
	data_retention_months: { label: texts({ en: "Data retention months", es: "Meses de conservación de datos" }) },
};

/** The label of a field of a site; undefined for other fields. */
export const settingLabel = (name: string): string | undefined => settings[name as SettingName]?.label;

/** Settings with a field in the form, in its order. */
export const settingFields = Object.entries(settings).flatMap(([name, { field, ...words }]) =>
	field === undefined ? [] : [{ name: name as SettingName, ...words, ...field }],
);
