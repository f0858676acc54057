import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { OuterFrame } from "../account/index.ts";
import { firstCall, MakeKey } from "../keys/index.ts";
import { actingQuery, sitesQuery } from "../site/index.ts";
import styles from "./developers.module.css";
import { verifySignature } from "./verify-signature.ts";

/** Words for those who let programs read. */
const t = texts({
	en: {
		title: "For developers",
		key: "API key",
		keyText: "Read-only access to the sites you can see.",
		keys: "All API keys",
		call: "First request",
		callText: "Visits of the last seven days. Replace the placeholder with your key.",
		site: "Site",
		first: "Request",
		placeholder: "YOUR_KEY",
		noSite: "Add a site first.",
		more: "Documentation",
		guide: "API guide",
		guideText: "Step by step with example responses, and the TypeScript client.",
		reference: "API reference",
		referenceText: "All routes with parameters and responses. Try them in the browser.",
		openapi: "openapi.json",
		openapiText: "OpenAPI 3.1 description for generated clients.",
		assistants: "Assistants",
		assistantsText:
			"Connect an AI assistant to your data with MCP. Give it this URL; it will ask you to sign in and choose a site.",
		address: "MCP URL",
		client: "Assistant",
		config: "Configuration",
		byHand: "In its settings, add a connector with this URL. Sign-in uses OAuth.",
		withKey: "Use an API key instead",
		apps: "Connected apps",
		webhooks: "Webhooks",
		webhooksText:
			"Get a signed request when an alert triggers, a goal is reached or an export is ready. Add endpoints in a site's settings.",
		verify: "Verify the signature (Node.js)",
		webhooksGuide: "Webhook API reference",
	},
	es: {
		title: "Para desarrolladores",
		key: "Clave API",
		keyText: "Acceso de solo lectura a los sitios que puedes ver.",
		keys: "Todas las claves API",
		call: "Primera petición",
		callText: "Visitas de los últimos siete días. Sustituye el marcador por tu clave.",
		site: "Sitio",
		first: "Petición",
		placeholder: "TU_CLAVE",
		noSite: "Añade primero un sitio.",
		more: "Documentación",
		guide: "Guía de la API (en inglés)",
		guideText: "Paso a paso con respuestas de ejemplo, y el cliente TypeScript.",
		reference: "Referencia de la API",
		referenceText: "Todas las rutas con parámetros y respuestas. Pruébalas en el navegador.",
		openapi: "openapi.json",
		openapiText: "Descripción OpenAPI 3.1 para clientes generados.",
		assistants: "Asistentes",
		assistantsText:
			"Conecta un asistente de IA a tus datos con MCP. Dale esta URL; te pedirá iniciar sesión y elegir un sitio.",
		address: "URL de MCP",
		client: "Asistente",
		config: "Configuración",
		byHand: "En sus ajustes, añade un conector con esta URL. El inicio de sesión usa OAuth.",
		withKey: "Usar una clave API",
		apps: "Aplicaciones conectadas",
		webhooks: "Webhooks",
		webhooksText:
			"Recibe una petición firmada cuando se activa una alerta, se alcanza un objetivo o una exportación está lista. Añade destinos en los ajustes de un sitio.",
		verify: "Verificar la firma (Node.js)",
		webhooksGuide: "Referencia de la API de webhooks",
	},
});

/** Assistants that speak MCP, and the configuration that each needs. Those that are set up by hand have none. */
const assistants = [
	["claude", "Claude", undefined],
	["chatgpt", "ChatGPT", undefined],
	["claude-code", "Claude Code", (url: string) => `claude mcp add --transport http footfall ${url}`],
	["codex", "Codex", (url: string) => `codex mcp add footfall --url ${url}\ncodex mcp login footfall`],
	["cursor", "Cursor", (url: string) => json({ mcpServers: { footfall: { url } } })],
	["gemini", "Gemini CLI", (url: string) => `gemini mcp add --transport http footfall ${url}`],
	["vscode", "VS Code", (url: string) => json({ servers: { footfall: { type: "http", url } } })],
] as const;

/** The configuration of a client that takes headers, with a key in the place of a sign-in. */
const configWithKey = (url: string, key: string): string =>
	json({ mcpServers: { footfall: { url, headers: { "X-API-Key": key } } } });

const json = (value: object): string => JSON.stringify(value, null, 2);

/** How programs and assistants come to the figures: a key, a call, an address, a signature. */
export const DevelopersScreen = () => (
	<OuterFrame title={t.title}>
		<div className={styles.stack}>
			<div className="column-16">
				<KeyCard />
				<FirstCallCard />
				<ReferenceCard />
			</div>
			<div className="column-16">
				<AssistantsCard />
				<WebhooksCard />
			</div>
		</div>
	</OuterFrame>
);

const ReferenceCard = () => (
	<Card title={t.more}>
		<ul className={styles.links}>
			<li>
				<a href="/help/api" target="_blank" rel="noreferrer">
					{t.guide}
				</a>
				<span className="muted">{t.guideText}</span>
			</li>
			<li>
				<a href="/docs" target="_blank" rel="noreferrer">
					{t.reference}
				</a>
				<span className="muted">{t.referenceText}</span>
			</li>
			<li>
				<a href="/api/v1/openapi.json" target="_blank" rel="noreferrer">
					{t.openapi}
				</a>
				<span className="muted">{t.openapiText}</span>
			</li>
		</ul>
	</Card>
);

/** API keys cannot be created during impersonation. */
function KeyCard() {
	const { data } = useQuery(actingQuery);
	if (data?.is_impersonating !== false) return null;
	return (
		<Card title={t.key} actions={<Link to="/account/tokens">{t.keys}</Link>}>
			<div className={styles.part}>
				<p className="muted">{t.keyText}</p>
				<MakeKey />
			</div>
		</Card>
	);
}

/** The address for assistants, with what each of them wants to be told. */
function AssistantsCard() {
	const url = `${location.origin}/mcp`;
	const [chosen, setChosen] = useState<string>(assistants[0][0]);
	const [, name, config] = assistants.find(([key]) => key === chosen) ?? assistants[0];
	return (
		<Card title={t.assistants} actions={<Link to="/account/apps">{t.apps}</Link>}>
			<div className={styles.part}>
				<p className="muted">{t.assistantsText}</p>
				<Secret label={t.address} value={url} isShownOnce={false} />
				<div className={styles.narrow}>
					<Select label={t.client} value={chosen} onChange={({ target }) => setChosen(target.value)}>
						{assistants.map(([key, label]) => (
							<option key={key} value={key}>
								{label}
							</option>
						))}
					</Select>
				</div>
				{config === undefined ? (
					<p>{t.byHand}</p>
				) : (
					<Secret key={name} label={t.config} value={config(url)} isShownOnce={false} />
				)}
				<Secret label={t.withKey} value={configWithKey(url, t.placeholder)} isShownOnce={false} />
			</div>
		</Card>
	);
}

/** A call that works as it stands, but for the key. */
function FirstCallCard() {
	const { data } = useSuspenseQuery(sitesQuery);
	const [chosen, setChosen] = useState<string>();
	const site = data.sites.find(({ id }) => id === chosen) ?? data.sites[0];
	return (
		<Card title={t.call}>
			<div className={styles.part}>
				{site === undefined ? (
					<p>
						<Link to="/sites/new">{t.noSite}</Link>
					</p>
				) : (
					<>
						<p className="muted">{t.callText}</p>
						{data.sites.length > 1 && (
							<div className={styles.narrow}>
								<Select label={t.site} value={site.id} onChange={({ target }) => setChosen(target.value)}>
									{data.sites.map(({ id, name }) => (
										<option key={id} value={id}>
											{name}
										</option>
									))}
								</Select>
							</div>
						)}
						<Secret label={t.first} value={firstCall(["stats:read"], site.id, t.placeholder)} isShownOnce={false} />
					</>
				)}
			</div>
		</Card>
	);
}

/** How webhooks call the reader's server, and how it verifies them. */
const WebhooksCard = () => (
	<Card
		title={t.webhooks}
		actions={
			<a href="/docs#tag/webhooks" target="_blank" rel="noreferrer">
				{t.webhooksGuide}
			</a>
		}
	>
		<div className={styles.part}>
			<p className="muted">{t.webhooksText}</p>
			<Secret label={t.verify} value={verifySignature} isShownOnce={false} />
		</div>
	</Card>
);
