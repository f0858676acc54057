import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { accountingQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Where invoices go, when not to the owner who pays. */
export function AccountingCard({ organization: { id } }: { readonly organization: Organization }) {
	const query = useQuery(accountingQuery(id));
	return (
		<Card label={t.accounting} title={t.accounting}>
			<Loaded query={query}>
				{({ accounting_email: email }) => <AddressForm key={email} id={id} email={email} />}
			</Loaded>
		</Card>
	);
}

interface AddressFormProps {
	/** Of the organization. */
	readonly id: string;
	readonly email: string | null;
}

function AddressForm({ id, email }: AddressFormProps) {
	const put = (next: string | null) =>
		call("PUT /billing/accounting-email", { query: { org_id: id }, body: { email: next } });
	const change = useChange({
		run: put,
		stale: ["GET /billing/accounting-email"],
		done: (_, next) => (next === null ? t.toOwner : t.toAddress(next)),
		undo: () => put(email),
	});
	const form = useForm((values) => change.mutateAsync(textOf(values, "email").trim() || null), {
		draft: "accounting-email",
	});
	return (
		<form className={styles.form} {...form.keeping}>
			<Problem failure={form.failure} />
			<Field
				label={t.email}
				hint={t.emailHint}
				name="email"
				type="email"
				maxLength={254}
				defaultValue={email ?? ""}
				error={form.errorOf("email")}
			/>
			<div>
				<Button type="submit" disabled={form.isBusy}>
					{t.save}
				</Button>
			</div>
		</form>
	);
}
