import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Hourglass } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { t } from "./profile-texts.ts";

type Address = Answer<"GET /users/me/email">;

/** Links are opened elsewhere: while one waits, the screen looks again after so long. */
const lookAgainMs = 5_000;

/** The address of the reader, and its change, which both addresses confirm by mail. */
export function AddressCard() {
	const query = useAddress();
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.address}>
			<Loaded query={query}>
				{({ email, pending_change: pending }) => (
					<div className={styles.stack}>
						<p className={styles.address}>{email}</p>
						<p className={styles.muted}>{t.addressText}</p>
						{pending !== null ? (
							<Waiting email={email} pending={pending} />
						) : isOpen ? (
							<ChangeForm close={() => setOpen(false)} />
						) : (
							<Button onClick={() => setOpen(true)}>{t.change}</Button>
						)}
					</div>
				)}
			</Loaded>
		</Card>
	);
}

function useAddress() {
	const queries = useQueryClient();
	return useQuery(
		queryOptions({
			queryKey: ["GET /users/me/email"],
			queryFn: async ({ signal }) => {
				const address = await call("GET /users/me/email", { signal });
				queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, email: address.email });
				return address;
			},
			refetchInterval: ({ state }) => (state.data?.pending_change ? lookAgainMs : false),
		}),
	);
}

function ChangeForm({ close }: { readonly close: () => void }) {
	const change = useChange({
		run: (body: { new_email: string; password: string }) => call("POST /users/me/email", { body }),
		stale: ["GET /users/me/email"],
		done: () => t.asked,
	});
	const form = useForm(
		async (values) => {
			await change.mutateAsync({ new_email: textOf(values, "new_email"), password: textOf(values, "password") });
			close();
		},
		{ draft: "address" },
	);
	return (
		<Form form={form} className={styles.form}>
			<Field
				label={t.newAddress}
				hint={t.askText}
				name="new_email"
				type="email"
				autoComplete="email"
				maxLength={254}
				required
				autoFocus
			/>
			<Field
				label={t.password}
				hint={t.passwordHint}
				name="password"
				type="password"
				autoComplete="current-password"
				required
			/>
			<div className={styles.actions}>
				<Submit>{t.ask}</Submit>
				<Cancel onClick={close} />
			</div>
		</Form>
	);
}

interface WaitingProps {
	readonly email: string;
	readonly pending: NonNullable<Address["pending_change"]>;
}

function Waiting({ email, pending }: WaitingProps) {
	const withdraw = useChange({
		run: () => call("DELETE /users/me/email"),
		stale: ["GET /users/me/email"],
		done: () => t.withdrawn,
	});
	return (
		<>
			<h3>{t.waits(pending.new_email)}</h3>
			<ul className={styles.steps}>
				<Confirmation address={email} isDone={pending.is_confirmed_by_current} />
				<Confirmation address={pending.new_email} isDone={pending.is_confirmed_by_new} />
			</ul>
			<p className={styles.muted}>{t.until(time(pending.expires_at))}</p>
			<Button disabled={withdraw.isBusy} onClick={() => withdraw.run(undefined)}>
				{t.withdraw}
			</Button>
		</>
	);
}

const Confirmation = ({ address, isDone }: { readonly address: string; readonly isDone: boolean }) => (
	<li className={isDone ? styles.done : undefined}>
		{isDone ? <Check size={16} aria-hidden="true" /> : <Hourglass size={16} aria-hidden="true" />}
		{isDone ? t.confirmed(address) : t.unconfirmed(address)}
	</li>
);
