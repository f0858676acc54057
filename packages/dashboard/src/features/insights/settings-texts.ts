import { texts } from "../../lib/language.ts";

/** Words of the settings of insights. */
export const t = texts({
	en: {
		title: "Insights",
		intro: "Whether fixed rules look at the site every morning, and who hears of what they find.",
		outbox: "This service has no mail server: mails stay in its outbox.",
		enabled: "Look at this site",
		frequency: "How often",
		frequencies: {
			daily: "Every morning at 6:00",
			weekly: "Mondays at 6:00",
			manual: "Only when a report is asked for",
		},
		mail: "Tell by mail",
		red: "Of serious ones",
		yellow: "Of those worth a look",
		green: "Of good news",
		recipients: "Recipients",
		recipientsHint:
			"One address a line. Without any, the owners hear of insights, and the report of the week goes to nobody. People who are no users of the site are asked first.",
		save: "Save",
		saved: "Saved.",
	},
	es: {
		title: "Hallazgos",
		intro: "Si unas reglas fijas miran el sitio cada mañana y quién se entera de lo que encuentran.",
		outbox: "Este servicio no tiene servidor de correo: los mensajes quedan en su bandeja de salida.",
		enabled: "Mirar este sitio",
		frequency: "Con qué frecuencia",
		frequencies: {
			daily: "Cada mañana a las 6:00",
			weekly: "Los lunes a las 6:00",
			manual: "Solo cuando se pide un informe",
		},
		mail: "Avisar por correo",
		red: "De lo grave",
		yellow: "De lo que merece una mirada",
		green: "De las buenas noticias",
		recipients: "Destinatarios",
		recipientsHint:
			"Una dirección por línea. Sin ninguna, los propietarios se enteran de los hallazgos y el informe semanal no va a nadie. A quien no es usuario del sitio se le pregunta antes.",
		save: "Guardar",
		saved: "Guardado.",
	},
});
