import { plural, texts } from "../../lib/language.ts";

/** What the words on a checked page need to know of it. */
interface Seen {
	readonly status: number | null;
	readonly reason?: string;
	readonly script_site?: string | null;
	readonly final_url: string;
}

/** Words on the snippet and on whether it works. */
export const t = texts({
	en: {
		title: "Installation",
		steps: ["Site", "Snippet", "First visit"],
		snippet: "Snippet",
		where: "Where it goes",
		places: { html: "HTML", gtm: "Tag Manager", wordpress: "WordPress", next: "Next.js", proxy: "Own proxy" },
		how: {
			html: "Put it into the <head> of every page.",
			gtm: "New tag, type “Custom HTML”, paste this; trigger “All Pages”. Then submit the container.",
			wordpress:
				"Into functions.php of your child theme, or its two script lines into a plugin for code in the header.",
			next: "Into the root layout. Changes of the route are counted by themselves.",
			proxy:
				"The tracker comes from your own domain, so that fewer blockers stop it. Whoever runs this service adds your proxy to TRUST_PROXY: else all visitors count as one.",
		},
		copy: "Copy",
		copied: "Copied",
		copyFailed: "Your browser does not allow copying. Select the text instead.",
		options: "Count more",
		events: {
			outbound: "Clicks on links to other sites",
			download: "Downloads of files",
			"404": "Pages that do not exist",
			scroll: "How far pages are scrolled",
		},
		hash: "Routes behind # (hash router)",
		doctor: "Does it work?",
		script: "Script asked for",
		received: "Hit received",
		accepted: "Hit accepted",
		done: "done",
		waiting: "waiting",
		refused: "refused",
		wait: "Open your site in another tab. This page looks every few seconds.",
		working: (when: string) => `It works. Last hit ${when}.`,
		quiet: (when: string) => `It did work: the last hit came ${when}. Nothing in the last 15 minutes.`,
		toReport: "To the report",
		toLive: "Watch it live",
		blocked:
			"Nothing yet? Look with a private window without extensions: a blocker in your own browser, or a consent banner, keeps the script back for you alone.",
		silent:
			"Your page loads the script, but nothing is sent. A blocker, a consent banner, or connect-src of the page's Content-Security-Policy holds it back.",
		elsewhere: "Refused hits are counted in another process of this service, so causes cannot be named here.",
		hits: (n: number) => plural(n, "1 hit refused", `${n} hits refused`),
		domain: (host: string) => `Pages on ${host} are not allowed to count for this site.`,
		someDomain: "The pages lie on a domain that is not allowed, or were opened from a file.",
		allow: (host: string) => `Allow ${host}`,
		allowed: (host: string) => `${host} is allowed. Load your page again; it takes up to ten seconds.`,
		askAdmin: "An admin of the site can allow it.",
		reasons: {
			invalid_json: "Something sends what is no hit. Compare the snippet on your page with the one here.",
			invalid_token:
				"The page keeps an old copy of the script. Load it from this server, and clear the cache of your page.",
			invalid_amount: "The amount of a conversion is no number, such as “59,90”. Send 59.90.",
			other_currency: "A conversion comes in another currency than the site's.",
			blocklist_ip: "The address is on the blocklist of this site. Perhaps it is your own.",
			rate_limit: "One visitor sent more than 300 hits a minute.",
			quota_exceeded: "The plan's hits are used up.",
		},
		otherReason: (reason: string) => `Refused as ${reason}.`,
		domains: "Domains",
		domainsHint: "Hits from these and their subdomains are counted.",
		anyDomain: "No domain is listed, so hits from everywhere are counted.",
		newDomain: "Another domain",
		add: "Add",
		remove: (domain: string) => `Remove ${domain}`,
		removed: (domain: string) => `${domain} was removed. Its pages count no more.`,
		undo: "Undo",
		check: "Look at a page",
		checkHint: "The server opens the page and tells what stands in the way.",
		url: "Address of a page",
		checkNow: "Check",
		checking: "Looking …",
		verdicts: {
			ok: () => "The snippet is there, and nothing stands in its way.",
			no_script: () =>
				"The page does not hold the snippet. A tag manager may still add it in the browser; the path above tells.",
			other_site: ({ script_site: other }: Seen) => `The snippet on the page is that of another site: ${other ?? ""}.`,
			csp_blocks: () => "The snippet is there, but the page's Content-Security-Policy blocks it.",
			unreachable: ({ status, reason }: Seen) =>
				status === null ? `The page could not be opened: ${reason ?? "no answer"}` : `The page answers ${status}.`,
			redirected: ({ final_url: url }: Seen) => `The page leads to ${url}. Check that one.`,
			not_html: () => "What answers there is no web page.",
		},
		needsScript: "script-src has to allow the tracker.",
		needsConnect: "connect-src has to allow what it sends.",
	},
	es: {
		title: "Instalación",
		steps: ["Sitio", "Fragmento", "Primera visita"],
		snippet: "Fragmento",
		where: "Dónde va",
		places: { html: "HTML", gtm: "Tag Manager", wordpress: "WordPress", next: "Next.js", proxy: "Proxy propio" },
		how: {
			html: "Ponlo en el <head> de todas las páginas.",
			gtm: "Etiqueta nueva de tipo «HTML personalizado», pega esto; activador «All Pages». Después, publica el contenedor.",
			wordpress:
				"En functions.php de tu tema hijo, o sus dos líneas de script en un plugin para código de la cabecera.",
			next: "En el layout raíz. Los cambios de ruta se cuentan solos.",
			proxy:
				"El script llega desde tu propio dominio, y así lo frenan menos bloqueadores. Quien gestiona este servicio debe añadir tu proxy a TRUST_PROXY: si no, todos los visitantes cuentan como uno.",
		},
		copy: "Copiar",
		copied: "Copiado",
		copyFailed: "Tu navegador no permite copiar. Selecciona el texto.",
		options: "Contar más",
		events: {
			outbound: "Clics en enlaces a otros sitios",
			download: "Descargas de archivos",
			"404": "Páginas que no existen",
			scroll: "Hasta dónde se baja en las páginas",
		},
		hash: "Rutas detrás de # (router con hash)",
		doctor: "¿Funciona?",
		script: "Script pedido",
		received: "Dato recibido",
		accepted: "Dato aceptado",
		done: "hecho",
		waiting: "esperando",
		refused: "rechazado",
		wait: "Abre tu sitio en otra pestaña. Esta página mira cada pocos segundos.",
		working: (when: string) => `Funciona. Último dato ${when}.`,
		quiet: (when: string) => `Funcionaba: el último dato llegó ${when}. Nada en los últimos 15 minutos.`,
		toReport: "Al informe",
		toLive: "Verlo en vivo",
		blocked:
			"¿Nada todavía? Prueba con una ventana privada sin extensiones: un bloqueador de tu propio navegador, o un aviso de cookies, detiene el script solo para ti.",
		silent:
			"Tu página carga el script, pero no se envía nada. Lo detiene un bloqueador, un aviso de cookies o el connect-src de la Content-Security-Policy de la página.",
		elsewhere: "Los rechazos se cuentan en otro proceso de este servicio, así que aquí no se pueden ver las causas.",
		hits: (n: number) => plural(n, "1 dato rechazado", `${n} datos rechazados`),
		domain: (host: string) => `Las páginas de ${host} no tienen permiso para contar en este sitio.`,
		someDomain: "Las páginas están en un dominio sin permiso o se abrieron desde un archivo.",
		allow: (host: string) => `Permitir ${host}`,
		allowed: (host: string) => `${host} tiene permiso. Vuelve a cargar tu página; tarda hasta diez segundos.`,
		askAdmin: "Un administrador del sitio puede permitirlo.",
		reasons: {
			invalid_json: "Algo envía lo que no es un dato válido. Compara el fragmento de tu página con el de aquí.",
			invalid_token:
				"La página guarda una copia antigua del script. Cárgalo desde este servidor y vacía la caché de tu página.",
			invalid_amount: "El importe de una conversión no es un número, como «59,90». Envía 59.90.",
			other_currency: "Una conversión llega en otra moneda que la del sitio.",
			blocklist_ip: "La dirección está en la lista de bloqueo de este sitio. Quizá sea la tuya.",
			rate_limit: "Un visitante envió más de 300 datos por minuto.",
			quota_exceeded: "Los datos del plan se han agotado.",
		},
		otherReason: (reason: string) => `Rechazado por ${reason}.`,
		domains: "Dominios",
		domainsHint: "Se cuentan los datos de estos y de sus subdominios.",
		anyDomain: "No hay ningún dominio en la lista, así que se cuenta todo.",
		newDomain: "Otro dominio",
		add: "Añadir",
		remove: (domain: string) => `Quitar ${domain}`,
		removed: (domain: string) => `Se ha quitado ${domain}. Sus páginas ya no cuentan.`,
		undo: "Deshacer",
		check: "Examinar una página",
		checkHint: "El servidor abre la página y dice qué lo impide.",
		url: "Dirección de una página",
		checkNow: "Comprobar",
		checking: "Mirando …",
		verdicts: {
			ok: () => "El fragmento está y nada lo impide.",
			no_script: () =>
				"La página no tiene el fragmento. Puede que un gestor de etiquetas lo añada en el navegador; lo dice la lista de arriba.",
			other_site: ({ script_site: other }: Seen) => `El fragmento de la página es de otro sitio: ${other ?? ""}.`,
			csp_blocks: () => "El fragmento está, pero la Content-Security-Policy de la página lo bloquea.",
			unreachable: ({ status, reason }: Seen) =>
				status === null
					? `No se ha podido abrir la página: ${reason ?? "sin respuesta"}`
					: `La página responde ${status}.`,
			redirected: ({ final_url: url }: Seen) => `La página lleva a ${url}. Comprueba esa.`,
			not_html: () => "Lo que responde ahí no es una página web.",
		},
		needsScript: "script-src debe permitir el script.",
		needsConnect: "connect-src debe permitir lo que envía.",
	},
});
