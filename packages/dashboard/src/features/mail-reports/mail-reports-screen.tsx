import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { boot } from "../../api/boot.ts";
import { may } from "../../api/may.ts";
import { ago } from "../../lib/format.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Item, Items, State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { NeedsRole } from "../settings/index.ts";
import { meQuery, ScreenHead, useSite } from "../site/index.ts";
import styles from "./mail-reports.module.css";
import { ReportForm } from "./report-form.tsx";
import { t } from "./texts.ts";
import { type Report, reportsQuery, useReports } from "./use-reports.ts";

/** Report mails of a site. Only editors see their recipients. */
export function MailReportsScreen() {
	const site = useSite();
	const [isAdding, setAdding] = useState(false);
	const mayChange = may("POST /mail-reports", site.role);
	const { data: me } = useQuery(meQuery);
	return (
		<>
			<ScreenHead title={t.title}>
				{mayChange && <AddButton onClick={() => setAdding(true)}>{t.add}</AddButton>}
			</ScreenHead>
			<p className={styles.intro}>{t.intro}</p>
			{mayChange && boot.config?.mail === "outbox" && <p className={styles.warning}>{t.outbox}</p>}
			{mayChange ? <Reports self={me?.email ?? ""} /> : <NeedsRole least="editor" />}
			{isAdding && (
				<Dialog title={t.add} onClose={() => setAdding(false)}>
					<ReportForm self={me?.email ?? ""} onDone={() => setAdding(false)} />
				</Dialog>
			)}
		</>
	);
}

function Reports({ self }: { readonly self: string }) {
	const site = useSite();
	const reports = useQuery(reportsQuery(site.id));
	return (
		<Card label={t.list}>
			<Loaded query={reports} isEmpty={(data) => data.reports.length === 0} empty={<p>{t.none}</p>}>
				{(data) => (
					<Items label={t.list}>
						{data.reports.map((report) => (
							<ReportRow key={report.id} report={report} self={self} />
						))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}

const tones = {
	active: "good",
	unsubscribed: "muted",
	bounced: "bad",
	deactivated: "muted",
	unconfirmed: "warn",
	no_access: "bad",
} as const satisfies Record<Report["recipients"][number]["status"], string>;

function ReportRow({ report, self }: { readonly report: Report; readonly self: string }) {
	const { id: site } = useSite();
	const { turn, remove, test } = useReports(site);
	const [isEditing, setEditing] = useState(false);
	const isBusy = turn.isBusy || remove.isBusy || test.isBusy;
	return (
		<Item
			title={t.names[report.frequency]}
			state={report.is_active ? { text: t.on, tone: "good" } : { text: t.off, tone: "muted" }}
			facts={`${t.people(report.recipients.length)} · ${
				report.last_sent_at === null ? t.never : t.sent(ago(report.last_sent_at))
			}`}
			actions={
				<>
					<Button small disabled={isBusy} onClick={() => test.run(report)}>
						{t.test}
					</Button>
					<Button small onClick={() => setEditing(true)}>
						{t.edit}
					</Button>
					<Button small disabled={isBusy} onClick={() => turn.run(report)}>
						{report.is_active ? t.turnOff : t.turnOn}
					</Button>
					<Button small disabled={isBusy} onClick={() => remove.run(report)}>
						{t.remove}
					</Button>
				</>
			}
		>
			<ul className={styles.people} aria-label={t.recipients}>
				{report.recipients.map(({ email, status }) => (
					<li key={email}>
						<span>{email}</span> <State text={t.states[status]} tone={tones[status]} />
					</li>
				))}
			</ul>
			{isEditing && (
				<Dialog title={t.names[report.frequency]} onClose={() => setEditing(false)}>
					<ReportForm report={report} self={self} onDone={() => setEditing(false)} />
				</Dialog>
			)}
		</Item>
	);
}
