import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { OuterFrame } from "../account/index.ts";
import { firstCall, MakeKey } from "../keys/index.ts";
import { actingQuery, sitesQuery } from "../site/index.ts";
import styles from "./developers.module.css";
import { t } from "./texts.ts";
import { verifySignature } from "./verify-signature.ts";

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
			<div className={styles.column}>
				<KeyCard />
				<FirstCallCard />
				<ReferenceCard />
			</div>
			<div className={styles.column}>
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
				<span className={styles.muted}>{t.guideText}</span>
			</li>
			<li>
				<a href="/docs" target="_blank" rel="noreferrer">
					{t.reference}
				</a>
				<span className={styles.muted}>{t.referenceText}</span>
			</li>
			<li>
				<a href="/api/v1/openapi.json" target="_blank" rel="noreferrer">
					{t.openapi}
				</a>
				<span className={styles.muted}>{t.openapiText}</span>
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
				<p className={styles.muted}>{t.keyText}</p>
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
				<p className={styles.muted}>{t.assistantsText}</p>
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
						<p className={styles.muted}>{t.callText}</p>
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
			<p className={styles.muted}>{t.webhooksText}</p>
			<Secret label={t.verify} value={verifySignature} isShownOnce={false} />
		</div>
	</Card>
);
