import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { asFailure } from "../../lib/failure.ts";
import { ago, days, percent } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { t as words } from "./migration-texts.ts";
import { isUnfinished, type Job, jobsQuery, progressQuery, useMigration } from "./queries.ts";
import { t } from "./texts.ts";

const kinds = ["conversions", "microconversions", "pageviews"] as const;

/** Figures of an older service: its login, and which days. Admins of the organization see it. */
export function MigrationCard() {
	const site = useSite();
	const query = useQuery(jobsQuery(site.id));
	const isRefused = query.error !== null && asFailure(query.error).status === 403;
	if (isRefused) {
		return (
			<Card title={words.title}>
				<p>{words.needsAdmin}</p>
			</Card>
		);
	}
	return (
		<Card title={words.title}>
			<p className={styles.hint}>{words.intro}</p>
			<MigrationForm />
			<LoadedItems label={words.jobs} query={query} of={({ jobs }) => jobs} empty={<p>{words.none}</p>}>
				{(job) => <JobRow key={job.id} job={job} />}
			</LoadedItems>
		</Card>
	);
}

function MigrationForm() {
	const site = useSite();
	const { test, start } = useMigration(site.id);
	const [said, setSaid] = useState<string>();
	const form = useForm(async (values) => {
		await start.mutateAsync({
			email: textOf(values, "v1_email"),
			password: textOf(values, "v1_password"),
			account: textOf(values, "v1_account_id"),
			from: textOf(values, "date_from"),
			to: textOf(values, "date_to"),
			kinds: kinds.filter((kind) => values.has(`migrate_${kind}`)),
		});
		setSaid(undefined);
	});
	const attempt = async (event: FormEvent<HTMLButtonElement>) => {
		const element = event.currentTarget.form;
		if (element === null) return;
		const values = new FormData(element);
		const login = { email: textOf(values, "v1_email"), password: textOf(values, "v1_password") };
		setSaid(words.testing);
		try {
			const answer = await test.mutateAsync({ ...login, account_id: textOf(values, "v1_account_id") });
			setSaid(answer.valid ? words.valid(answer.account_name ?? "") : (answer.error ?? words.invalid));
		} catch (error) {
			setSaid(asFailure(error).message);
		}
	};
	return (
		<Form form={form} className={styles.form}>
			<LoginFields />
			<fieldset className={styles.kinds}>
				<legend>{words.what}</legend>
				{kinds.map((kind) => (
					<Check key={kind} label={words.kinds[kind]} name={`migrate_${kind}`} defaultChecked={kind !== "pageviews"} />
				))}
			</fieldset>
			<div className={styles.submit}>
				<Button onClick={(event) => void attempt(event)} disabled={test.isBusy}>
					{words.test}
				</Button>
				<Submit>{words.start}</Submit>
				<p className={styles.hint} role="status">
					{said}
				</p>
			</div>
		</Form>
	);
}

const LoginFields = () => (
	<div className={styles.fields}>
		<Field label={words.email} name="v1_email" type="email" required minLength={5} maxLength={255} autoComplete="off" />
		<Field
			label={words.password}
			name="v1_password"
			type="password"
			required
			autoComplete="off"
			hint={words.passwordHint}
		/>
		<Field label={words.account} name="v1_account_id" required maxLength={64} pattern="[A-Za-z0-9_\-]+" {...verbatim} />
		<Field label={t.from} name="date_from" type="date" required />
		<Field label={t.to} name="date_to" type="date" required />
	</div>
);

const tones = { pending: "muted", running: "muted", completed: "good", failed: "bad", cancelled: "muted" } as const;

function JobRow({ job }: { readonly job: Job }) {
	const site = useSite();
	const { cancel } = useMigration(site.id);
	const isOpen = isUnfinished(job);
	const { data } = useQuery({ ...progressQuery(job.id), enabled: isOpen || job.status === "failed" });
	return (
		<Item
			title={words.job(job.v1_account_id, days(job.date_from, job.date_to))}
			state={{ text: words.states[job.status], tone: tones[job.status] }}
			facts={t.handedIn(ago(job.created_at))}
			actions={
				isOpen && (
					<Button small look="danger" disabled={cancel.isBusy} onClick={() => cancel.run(job)}>
						{t.cancel}
					</Button>
				)
			}
		>
			{isOpen && (
				<div className={styles.progress}>
					<progress aria-label={words.title} max={100} value={job.progress} />
					<span>{t.progress(words.states[job.status], percent(job.progress))}</span>
				</div>
			)}
			{data?.error_message && <p className={styles.fault}>{data.error_message}</p>}
		</Item>
	);
}
