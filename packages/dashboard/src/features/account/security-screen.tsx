import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { ago, time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { PasswordRules } from "../auth/index.ts";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { AccountFrame } from "./account-frame.tsx";
import { deviceOf } from "./device-name.ts";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { t } from "./security-texts.ts";

/** Security settings of the account. */
export const SecurityScreen = () => (
	<AccountFrame title={t.title}>
		<PasswordCard />
		<SecondFactorCard />
		<SessionsCard />
	</AccountFrame>
);

type Session = Answer<"GET /auth/sessions">["sessions"][number];

/** Where the reader is signed in; other places can be shut out. */
function SessionsCard() {
	const query = useQuery(read("GET /auth/sessions"));
	const endOthers = useChange({
		run: () => call("DELETE /auth/sessions", { query: { include_current: false } }),
		stale: ["GET /auth/sessions"],
		done: ({ sessions_terminated: count }) => t.endedOthers(count),
	});
	const hasOthers = (query.data?.total ?? 0) > 1;
	return (
		<Card
			title={t.sessions}
			actions={
				hasOthers && (
					<Button small disabled={endOthers.isBusy} onClick={() => endOthers.run(undefined)}>
						{t.endOthers}
					</Button>
				)
			}
		>
			<Loaded query={query}>
				{({ sessions }) => (
					<Items label={t.sessions}>
						{[...sessions]
							.sort((one, other) => Number(other.is_current) - Number(one.is_current))
							.map((session) => (
								<SessionItem key={session.id} session={session} />
							))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}

function SessionItem({ session }: { readonly session: Session }) {
	const end = useChange({
		run: () => call("DELETE /auth/sessions/{session_id}", { path: { session_id: session.id } }),
		stale: ["GET /auth/sessions"],
		done: () => t.ended,
	});
	const { browser, system } = deviceOf(session.user_agent);
	const device = browser && system ? t.device(browser, system) : (browser ?? system ?? t.unknown);
	const facts = [session.ip_address, t.used(ago(session.last_used_at)), t.since(time(session.created_at))];
	return (
		<Item
			title={device}
			facts={facts.filter(Boolean).join(" · ")}
			state={session.is_current ? { text: t.here, tone: "good" } : undefined}
			actions={
				!session.is_current && (
					<Button small disabled={end.isBusy} aria-label={t.endOf(device)} onClick={() => end.run(undefined)}>
						{t.end}
					</Button>
				)
			}
		/>
	);
}

/** Changes the password; asks for the current one. */
function PasswordCard() {
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.password}>
			<div className={styles.stack}>
				<p className={styles.muted}>{t.passwordText}</p>
				{isOpen ? (
					<PasswordForm close={() => setOpen(false)} />
				) : (
					<Button onClick={() => setOpen(true)}>{t.change}</Button>
				)}
			</div>
		</Card>
	);
}

function PasswordForm({ close }: { readonly close: () => void }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const [typed, setTyped] = useState("");
	const change = useChange({
		run: (body: { current_password: string; new_password: string }) => call("POST /users/me/password", { body }),
		stale: ["GET /auth/sessions"],
		done: ({ sessions_terminated: ended }) => t.changed(ended),
	});
	const form = useForm(async (values) => {
		await change.mutateAsync({
			current_password: textOf(values, "current_password"),
			new_password: textOf(values, "new_password"),
		});
		close();
	});
	return (
		<Form form={form} className={styles.form}>
			<input type="hidden" name="email" autoComplete="username" value={me.email} readOnly />
			<Field
				label={t.current}
				name="current_password"
				type="password"
				autoComplete="current-password"
				required
				autoFocus
			/>
			<Field
				label={t.next}
				name="new_password"
				type="password"
				autoComplete="new-password"
				minLength={12}
				maxLength={128}
				required
				hint={<PasswordRules email={me.email} password={typed} />}
				onChange={({ target }) => setTyped(target.value)}
			/>
			<div className="row-centered">
				<Submit>{t.change}</Submit>
				<Cancel onClick={close} />
			</div>
		</Form>
	);
}
