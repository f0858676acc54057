import { texts } from "../../lib/language.ts";

/** Words for those who let programs read. */
export const t = texts({
	en: {
		title: "For developers",
		key: "A key",
		keyText: "It reads what you may read, and changes nothing. Three clicks: new, make, copy.",
		keys: "All keys",
		call: "A first call",
		callText: "Visits of the last seven days. Put your key where it says so.",
		site: "Site",
		first: "Call",
		placeholder: "YOUR_KEY",
		noSite: "Add a site first: calls are about one.",
		more: "Go on",
		reference: "API reference",
		referenceText: "All routes, with what they take and answer; they can be tried there.",
		openapi: "openapi.json",
		openapiText: "The same for programs: OpenAPI 3.1, for generated clients.",
		assistants: "Assistants",
		assistantsText:
			"An assistant that speaks MCP reads your figures and answers in words. Give it this address; it asks you to sign in and to choose a site.",
		address: "MCP address",
		client: "Assistant",
		config: "What it wants",
		byHand:
			"In its settings, add a connector with the address above. Sign-in is OAuth, nothing else has to be filled in.",
		withKey: "With a key instead of signing in",
		apps: "Connected apps",
		webhooks: "Webhooks",
		webhooksText:
			"Footfall tells a server of yours when an alert fires, a goal is reached or an export is ready. Each request is signed. Below the settings of a site an endpoint is made; its secret is shown once.",
		verify: "Check the signature (Node.js)",
		webhooksGuide: "Routes of webhooks",
	},
	es: {
		title: "Para desarrolladores",
		key: "Una clave",
		keyText: "Lee lo que tú puedes leer, y no cambia nada. Tres clics: nueva, crear, copiar.",
		keys: "Todas las claves",
		call: "Una primera llamada",
		callText: "Las visitas de los últimos siete días. Pon tu clave donde se indica.",
		site: "Sitio",
		first: "Llamada",
		placeholder: "TU_CLAVE",
		noSite: "Añade primero un sitio: las llamadas tratan de uno.",
		more: "Para seguir",
		reference: "Referencia de la API",
		referenceText: "Todas las rutas, con lo que reciben y responden; allí se pueden probar.",
		openapi: "openapi.json",
		openapiText: "Lo mismo para programas: OpenAPI 3.1, para clientes generados.",
		assistants: "Asistentes",
		assistantsText:
			"Un asistente que habla MCP lee tus cifras y responde con palabras. Dale esta dirección; te pedirá que entres y elijas un sitio.",
		address: "Dirección MCP",
		client: "Asistente",
		config: "Lo que necesita",
		byHand:
			"En sus ajustes, añade un conector con la dirección de arriba. Se entra por OAuth, no hay que rellenar nada más.",
		withKey: "Con una clave en lugar de entrar",
		apps: "Aplicaciones conectadas",
		webhooks: "Webhooks",
		webhooksText:
			"Footfall avisa a un servidor tuyo cuando salta una alerta, se alcanza un objetivo o una exportación está lista. Cada petición va firmada. El destino se crea en los ajustes de un sitio; su secreto se muestra una vez.",
		verify: "Comprobar la firma (Node.js)",
		webhooksGuide: "Rutas de webhooks",
	},
});
