import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { boot } from "../../api/boot.ts";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { ago } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { AddButton } from "../../ui/button/add-button.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Area, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { Item, State } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { NeedsRole } from "../settings/index.ts";
import { meQuery, ScreenHead, useSite } from "../site/index.ts";
import styles from "./mail-reports.module.css";
import { t } from "./texts.ts";

/** A report that goes out by mail. */
type Report = Answer<"GET /mail-reports">["reports"][number];
/** Editable fields of a report mail. */
type ReportInput = Pick<Report, "frequency"> & { readonly recipients: readonly string[] };

const stale = ["GET /mail-reports"] as const;

/** The reports of a site. */
const reportsQuery = (site: string) => read("GET /mail-reports", { query: { account_id: site } });

const addressesOf = (report: Report): readonly string[] => report.recipients.map(({ email }) => email);

/** The changes of a site's reports. Each but the test can be taken back. */
function useReports(site: string) {
	const query = { account_id: site };
	const post = (body: ReportInput & { readonly is_active?: boolean }) => call("POST /mail-reports", { query, body });
	const patch = (id: number, body: Partial<ReportInput> & { readonly is_active?: boolean }) =>
		call("PATCH /mail-reports/{id}", { path: { id }, query, body });
	const remove = (id: number) => call("DELETE /mail-reports/{id}", { path: { id }, query });
	return {
		create: useChange({
			run: post,
			stale,
			done: () => t.created,
			undo: ({ id }) => remove(id),
		}),
		update: useChange({
			run: ({ report, input }: { readonly report: Report; readonly input: ReportInput }) => patch(report.id, input),
			stale,
			done: saved,
			undo: (_, { report }) => patch(report.id, { frequency: report.frequency, recipients: addressesOf(report) }),
		}),
		turn: useChange({
			run: (report: Report) => patch(report.id, { is_active: !report.is_active }),
			stale,
			done: ({ is_active: isActive }) => (isActive ? t.turnedOn : t.turnedOff),
			undo: (_, report) => patch(report.id, { is_active: report.is_active }),
		}),
		remove: useChange({
			run: ({ id }: Report) => remove(id),
			stale,
			done: () => t.removed,
			undo: (_, report) =>
				post({ frequency: report.frequency, recipients: addressesOf(report), is_active: report.is_active }),
		}),
		test: useChange({
			run: ({ id }: Report) => call("POST /mail-reports/{id}/test", { path: { id }, query }),
			stale: [],
			done: ({ sent_to: to }) => t.tested(to),
		}),
	};
}

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
			<p className="intro">{t.intro}</p>
			{mayChange && boot.config?.mail === "outbox" && <p className="warning">{t.outbox}</p>}
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
			<LoadedItems label={t.list} query={reports} of={(data) => data.reports} empty={<p>{t.none}</p>}>
				{(report) => <ReportRow key={report.id} report={report} self={self} />}
			</LoadedItems>
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

const frequencies = ["weekly", "monthly"] as const;

const inputOf = (values: FormData): ReportInput => ({
	frequency: frequencies.find((one) => one === textOf(values, "frequency")) ?? "weekly",
	recipients: textOf(values, "recipients")
		.split(/[\s,;]+/)
		.filter((address) => address !== ""),
});

interface ReportFormProps {
	/** The report that is changed; absent for a new one. */
	readonly report?: Report;
	/** Address of the user, the default recipient. */
	readonly self: string;
	readonly onDone: () => void;
}

/** Recipients and frequency of a report mail. */
function ReportForm({ report, self, onDone }: ReportFormProps) {
	const { id: site } = useSite();
	const { create, update } = useReports(site);
	const form = useForm(
		async (values) => {
			const input = inputOf(values);
			await (report === undefined ? create.mutateAsync(input) : update.mutateAsync({ report, input }));
			onDone();
		},
		{ draft: `report ${report?.id ?? "new"}` },
	);
	return (
		<Form form={form} className="stack-16">
			<Select label={t.frequency} name="frequency" defaultValue={report?.frequency ?? "weekly"}>
				<Options of={frequencies} text={(one) => t.names[one]} />
			</Select>
			<Area
				label={t.recipients}
				hint={t.recipientsHint}
				name="recipients"
				required
				autoComplete="off"
				spellCheck={false}
				defaultValue={report?.recipients.map(({ email }) => email).join("\n") ?? self}
			/>
			<Submit>{report === undefined ? t.create : t.save}</Submit>
		</Form>
	);
}
