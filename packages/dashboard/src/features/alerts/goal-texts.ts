import { texts } from "../../lib/language.ts";

/** Texts of the form of a goal. */
export const t = texts({
	en: {
		add: "Create goal",
		name: "Name",
		namePlaceholder: "300 orders a month",
		what: "Metric",
		type: "Conversion type",
		anyType: "All types",
		target: "Target",
		by: "By the end of the",
		ends: { day: "day", week: "week", month: "month" },
		mail: "Email the owners when it is reached",
		save: "Save",
	},
	es: {
		add: "Crear objetivo",
		name: "Nombre",
		namePlaceholder: "300 pedidos al mes",
		what: "Métrica",
		type: "Tipo de conversión",
		anyType: "Todos los tipos",
		target: "Meta",
		by: "Antes de que acabe",
		ends: { day: "el día", week: "la semana", month: "el mes" },
		mail: "Enviar un correo a los propietarios cuando se alcance",
		save: "Guardar",
	},
});
