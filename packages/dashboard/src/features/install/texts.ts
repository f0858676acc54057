import { plural, texts } from "../../lib/language.ts";

/** Facts of a checked page for its texts. */
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
		places: { html: "HTML", gtm: "Tag Manager", wordpress: "WordPress", next: "Next.js", proxy: "Proxy" },
		how: {
			html: "Add it to the <head> of every page.",
			gtm: "Create a “Custom HTML” tag with this code and the trigger “All Pages”, then publish the container.",
			wordpress: "Add it to functions.php of your child theme, or add its two script lines with a header code plugin.",
			next: "Add it to the root layout. Route changes are tracked automatically.",
			proxy:
				"Serves the script from your own domain, so fewer blockers stop it. The operator of this service must add your proxy to TRUST_PROXY; otherwise all visitors count as one.",
		},
		copy: "Copy",
		copied: "Copied",
		copyFailed: "Your browser doesn't allow copying. Select the text instead.",
		options: "Track more",
		events: {
			outbound: "Clicks on outbound links",
			download: "File downloads",
			"404": "Missing pages (404)",
			scroll: "Scroll depth",
		},
		hash: "Hash routes (#)",
		doctor: "Does it work?",
		script: "Script loaded",
		received: "Data received",
		accepted: "Data accepted",
		done: "done",
		waiting: "waiting",
		refused: "rejected",
		wait: "Open your site in another tab. This page checks every few seconds.",
		working: (when: string) => `Working. Last data ${when}.`,
		quiet: (when: string) => `Last data ${when}; nothing in the last 15 minutes.`,
		toReport: "Open report",
		toLive: "Open live view",
		blocked:
			"Nothing yet? Try a private window without extensions: an ad blocker or a consent banner may be blocking the script only in your browser.",
		silent:
			"Your page loads the script but sends nothing. A blocker, a consent banner or the page's Content-Security-Policy (connect-src) may be blocking it.",
		elsewhere: "Another process of this service counts rejected hits, so their reasons can't be shown here.",
		hits: (n: number) => plural(n, "1 hit rejected", `${n} hits rejected`),
		domain: (host: string) => `${host} is not one of this site's domains.`,
		someDomain: "The pages are on a domain that is not allowed, or were opened from a file.",
		allow: (host: string) => `Allow ${host}`,
		allowed: (host: string) => `${host} is allowed. Reload your page; this can take up to ten seconds.`,
		askAdmin: "An admin of the site can allow it.",
		reasons: {
			invalid_json: "Invalid data was sent. Compare the snippet on your page with this one.",
			invalid_token: "The page uses an old copy of the script. Load it from this server and clear your page's cache.",
			invalid_amount: "A conversion has an invalid amount, such as “59,90”. Send 59.90.",
			other_currency: "A conversion uses a different currency than the site.",
			blocklist_ip: "The IP address is excluded for this site. It may be your own.",
			rate_limit: "One visitor sent more than 300 hits per minute.",
			quota_exceeded: "The plan's event limit is reached.",
		},
		otherReason: (reason: string) => `Rejected: ${reason}.`,
		domains: "Domains",
		domainsHint: "Data from these domains and their subdomains is accepted.",
		anyDomain: "No domains listed: data from any domain is accepted.",
		newDomain: "Domain",
		add: "Add",
		remove: (domain: string) => `Remove ${domain}`,
		removed: (domain: string) => `${domain} removed. Its pages are no longer tracked.`,
		undo: "Undo",
		check: "Check a page",
		checkHint: "We'll open it and tell you what blocks tracking.",
		url: "Page URL",
		checkNow: "Check",
		checking: "Checking…",
		verdicts: {
			ok: () => "The snippet is installed and nothing blocks it.",
			no_script: () =>
				"The snippet is not in the page. A tag manager may still add it in the browser; see the steps above.",
			other_site: ({ script_site: other }: Seen) => `The snippet on the page belongs to another site: ${other ?? ""}.`,
			csp_blocks: () => "The snippet is installed, but the page's Content-Security-Policy blocks it.",
			unreachable: ({ status, reason }: Seen) =>
				status === null ? `Couldn't open the page: ${reason ?? "no response"}` : `The page responded with ${status}.`,
			redirected: ({ final_url: url }: Seen) => `The page redirects to ${url}. Check that one.`,
			not_html: () => "This address is not a web page.",
		},
		needsScript: "script-src must allow the script.",
		needsConnect: "connect-src must allow sending data.",
	},
	es: {
		title: "Instalación",
		steps: ["Sitio", "Fragmento", "Primera visita"],
		snippet: "Fragmento",
		where: "Dónde va",
		places: { html: "HTML", gtm: "Tag Manager", wordpress: "WordPress", next: "Next.js", proxy: "Proxy" },
		how: {
			html: "Añádelo al <head> de todas las páginas.",
			gtm: "Crea una etiqueta «HTML personalizado» con este código y el activador «All Pages», y publica el contenedor.",
			wordpress:
				"Añádelo a functions.php de tu tema hijo, o añade sus dos líneas de script con un plugin de código de cabecera.",
			next: "Añádelo al layout raíz. Los cambios de ruta se registran automáticamente.",
			proxy:
				"Sirve el script desde tu propio dominio, así lo frenan menos bloqueadores. El operador de este servicio debe añadir tu proxy a TRUST_PROXY; si no, todos los visitantes cuentan como uno.",
		},
		copy: "Copiar",
		copied: "Copiado",
		copyFailed: "Tu navegador no permite copiar. Selecciona el texto.",
		options: "Medir más",
		events: {
			outbound: "Clics en enlaces externos",
			download: "Descargas de archivos",
			"404": "Páginas no encontradas (404)",
			scroll: "Profundidad de desplazamiento",
		},
		hash: "Rutas con hash (#)",
		doctor: "¿Funciona?",
		script: "Script cargado",
		received: "Datos recibidos",
		accepted: "Datos aceptados",
		done: "hecho",
		waiting: "esperando",
		refused: "rechazado",
		wait: "Abre tu sitio en otra pestaña. Esta página comprueba cada pocos segundos.",
		working: (when: string) => `Funciona. Último dato ${when}.`,
		quiet: (when: string) => `Último dato ${when}; nada en los últimos 15 minutos.`,
		toReport: "Abrir informe",
		toLive: "Abrir en vivo",
		blocked:
			"¿Nada todavía? Prueba con una ventana privada sin extensiones: puede que un bloqueador o un aviso de cookies frene el script solo en tu navegador.",
		silent:
			"Tu página carga el script pero no envía nada. Puede que lo frene un bloqueador, un aviso de cookies o la Content-Security-Policy de la página (connect-src).",
		elsewhere: "Otro proceso de este servicio cuenta los rechazos, así que aquí no se pueden mostrar las causas.",
		hits: (n: number) => plural(n, "1 dato rechazado", `${n} datos rechazados`),
		domain: (host: string) => `${host} no es uno de los dominios de este sitio.`,
		someDomain: "Las páginas están en un dominio no permitido o se abrieron desde un archivo.",
		allow: (host: string) => `Permitir ${host}`,
		allowed: (host: string) => `${host} está permitido. Recarga tu página; puede tardar hasta diez segundos.`,
		askAdmin: "Un administrador del sitio puede permitirlo.",
		reasons: {
			invalid_json: "Se enviaron datos no válidos. Compara el fragmento de tu página con este.",
			invalid_token:
				"La página usa una copia antigua del script. Cárgalo desde este servidor y vacía la caché de tu página.",
			invalid_amount: "Una conversión tiene un importe no válido, como «59,90». Envía 59.90.",
			other_currency: "Una conversión usa una moneda distinta a la del sitio.",
			blocklist_ip: "La dirección IP está excluida en este sitio. Puede que sea la tuya.",
			rate_limit: "Un visitante envió más de 300 datos por minuto.",
			quota_exceeded: "Se ha alcanzado el límite de eventos del plan.",
		},
		otherReason: (reason: string) => `Rechazado: ${reason}.`,
		domains: "Dominios",
		domainsHint: "Se aceptan datos de estos dominios y sus subdominios.",
		anyDomain: "Sin dominios en la lista: se aceptan datos de cualquiera.",
		newDomain: "Dominio",
		add: "Añadir",
		remove: (domain: string) => `Quitar ${domain}`,
		removed: (domain: string) => `Se ha quitado ${domain}. Sus páginas ya no se miden.`,
		undo: "Deshacer",
		check: "Comprobar una página",
		checkHint: "La abriremos y te diremos qué bloquea la medición.",
		url: "URL de la página",
		checkNow: "Comprobar",
		checking: "Comprobando…",
		verdicts: {
			ok: () => "El fragmento está instalado y nada lo bloquea.",
			no_script: () =>
				"El fragmento no está en la página. Puede que un gestor de etiquetas lo añada en el navegador; mira los pasos de arriba.",
			other_site: ({ script_site: other }: Seen) => `El fragmento de la página es de otro sitio: ${other ?? ""}.`,
			csp_blocks: () => "El fragmento está instalado, pero la Content-Security-Policy de la página lo bloquea.",
			unreachable: ({ status, reason }: Seen) =>
				status === null
					? `No se ha podido abrir la página: ${reason ?? "sin respuesta"}`
					: `La página responde ${status}.`,
			redirected: ({ final_url: url }: Seen) => `La página redirige a ${url}. Comprueba esa.`,
			not_html: () => "Esta dirección no es una página web.",
		},
		needsScript: "script-src debe permitir el script.",
		needsConnect: "connect-src debe permitir el envío de datos.",
	},
});
