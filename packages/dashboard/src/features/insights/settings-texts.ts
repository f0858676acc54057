import { texts } from "../../lib/language.ts";

/** Words of the settings of insights. */
export const t = texts({
	en: {
		title: "Insights",
		intro: "Automatic checks of your figures, with notifications.",
		outbox: "No mail server is configured: emails stay in the outbox.",
		enabled: "Enable insights",
		frequency: "Frequency",
		frequencies: {
			daily: "Every morning at 6:00",
			weekly: "Mondays at 6:00",
			manual: "Only on request",
		},
		mail: "Email me",
		red: "Serious",
		yellow: "Worth a look",
		green: "Good news",
		recipients: "Recipients",
		recipientsHint:
			"One address per line. If empty, insights go to the owners and the weekly report isn't sent. External recipients must confirm first.",
		save: "Save",
		saved: "Saved.",
	},
	es: {
		title: "Hallazgos",
		intro: "Comprobaciones automáticas de tus cifras, con avisos.",
		outbox: "No hay servidor de correo configurado: los mensajes quedan en la bandeja de salida.",
		enabled: "Activar hallazgos",
		frequency: "Frecuencia",
		frequencies: {
			daily: "Cada mañana a las 6:00",
			weekly: "Los lunes a las 6:00",
			manual: "Solo a petición",
		},
		mail: "Avisarme por correo",
		red: "Graves",
		yellow: "Merecen una mirada",
		green: "Buenas noticias",
		recipients: "Destinatarios",
		recipientsHint:
			"Una dirección por línea. Si está vacío, los hallazgos van a los propietarios y el informe semanal no se envía. Los destinatarios externos deben confirmar antes.",
		save: "Guardar",
		saved: "Guardado.",
	},
});
