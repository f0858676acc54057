import { texts } from "../../lib/language.ts";

/** Texts of the form of a goal. */
export const t = texts({
	en: {
		add: "Create the goal",
		name: "Name",
		namePlaceholder: "300 orders a month",
		what: "What is counted",
		type: "Of the type",
		anyType: "All types",
		target: "How many",
		by: "By the end of the",
		ends: { day: "day", week: "week", month: "month" },
		mail: "Send a mail to the owners when it is reached",
		save: "Save",
	},
	es: {
		add: "Crear el objetivo",
		name: "Nombre",
		namePlaceholder: "300 pedidos al mes",
		what: "Qué se cuenta",
		type: "Del tipo",
		anyType: "Todos los tipos",
		target: "Cuántos",
		by: "Antes de que acabe",
		ends: { day: "el día", week: "la semana", month: "el mes" },
		mail: "Enviar un correo a los propietarios cuando se alcance",
		save: "Guardar",
	},
});
