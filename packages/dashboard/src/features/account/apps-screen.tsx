import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago, time } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { sitesQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";

const t = texts({
	en: {
		title: "Connected apps",
		list: "Connected apps",
		text: "Apps with read-only access to the reports of one site.",
		none: "No connected apps.",
		how: "Connect an assistant",
		reads: (site: string) => `can read reports of ${site}`,
		stays: "offline access",
		since: (time: string) => `since ${time}`,
		used: (time: string) => `used ${time}`,
		unused: "not used yet",
		end: "Disconnect",
		endOf: (name: string) => `Disconnect ${name}`,
		endTitle: (name: string) => `Disconnect “${name}”`,
		goes: "The app loses access immediately",
		kept: "Data the app has already read",
		ended: "App disconnected.",
	},
	es: {
		title: "Aplicaciones conectadas",
		list: "Aplicaciones conectadas",
		text: "Aplicaciones con acceso de solo lectura a los informes de un sitio.",
		none: "No hay aplicaciones conectadas.",
		how: "Conectar un asistente",
		reads: (site: string) => `puede leer los informes de ${site}`,
		stays: "acceso sin conexión",
		since: (time: string) => `desde el ${time}`,
		used: (time: string) => `usada ${time}`,
		unused: "sin usar aún",
		end: "Desconectar",
		endOf: (name: string) => `Desconectar ${name}`,
		endTitle: (name: string) => `Desconectar «${name}»`,
		goes: "La aplicación pierde el acceso de inmediato",
		kept: "Los datos que la aplicación ya ha leído",
		ended: "Aplicación desconectada.",
	},
});

/** Apps of others that read on the reader's behalf. */
export const AppsScreen = () => (
	<AccountFrame title={t.title}>
		<AppsCard />
	</AccountFrame>
);

function AppsCard() {
	const query = useQuery(read("GET /oauth/connections"));
	return (
		<Card title={t.list} actions={<Link to="/developers">{t.how}</Link>}>
			<p className={styles.muted}>{t.text}</p>
			<LoadedItems label={t.list} query={query} of={(apps) => apps} empty={<p>{t.none}</p>}>
				{(app) => <AppItem key={app.grant_id} app={app} />}
			</LoadedItems>
		</Card>
	);
}

function AppItem({ app }: { readonly app: Answer<"GET /oauth/connections">[number] }) {
	const { data } = useSuspenseQuery(sitesQuery);
	const [isAsking, setAsking] = useState(false);
	const end = useChange({
		run: () => call("DELETE /oauth/connections/{grant_id}", { path: { grant_id: app.grant_id } }),
		stale: ["GET /oauth/connections"],
		done: () => t.ended,
	});
	const site = data.sites.find(({ id }) => id === app.site_id)?.name ?? app.site_id;
	const facts = [
		t.reads(site),
		app.scopes.includes("offline_access") && t.stays,
		t.since(time(app.created_at)),
		app.last_used_at === null ? t.unused : t.used(ago(app.last_used_at)),
	];
	return (
		<Item
			title={app.client_name}
			facts={facts.filter(Boolean).join(" · ")}
			actions={
				<Button small aria-label={t.endOf(app.client_name)} onClick={() => setAsking(true)}>
					{t.end}
				</Button>
			}
		>
			{isAsking && (
				<ConfirmDialog
					title={t.endTitle(app.client_name)}
					goes={[t.goes]}
					stays={[t.kept]}
					action={t.end}
					onConfirm={() => end.mutateAsync(undefined)}
					onClose={() => setAsking(false)}
				/>
			)}
		</Item>
	);
}
