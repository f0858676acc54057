import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { endSession } from "../../api/session.ts";
import { textOf } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./account.module.css";
import { t } from "./profile-texts.ts";

/** The way out for good. */
export function CloseCard() {
	const [isOpen, setOpen] = useState(false);
	return (
		<Card title={t.close}>
			<div className={styles.stack}>
				<p className={styles.muted}>{t.closeText}</p>
				<Button look="danger" onClick={() => setOpen(true)}>
					{t.close}
				</Button>
			</div>
			{isOpen && <CloseDialog onClose={() => setOpen(false)} />}
		</Card>
	);
}

function CloseDialog({ onClose }: { readonly onClose: () => void }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const { data } = useQuery(read("GET /organizations"));
	const alone = (data?.organizations ?? []).filter((one) => one.user_role === "owner" && one.member_count === 1);
	const close = async (values: FormData) => {
		const code = textOf(values, "code").trim();
		await call("DELETE /users/me", { body: { password: textOf(values, "password"), ...(code !== "" && { code }) } });
		endSession();
	};
	return (
		<ConfirmDialog
			title={t.close}
			goes={[
				t.goes,
				t.goesApps,
				...(alone.length > 0 ? [t.goesOrganizations(alone.map(({ name }) => name).join(", "))] : []),
			]}
			stays={[t.stays, t.staysLog]}
			name={me.email}
			action={t.close}
			onConfirm={close}
			onClose={onClose}
		>
			<Field label={t.password} name="password" type="password" autoComplete="current-password" required />
			{me.two_factor_enabled && (
				<Field label={t.code} name="code" autoComplete="one-time-code" minLength={6} maxLength={14} required />
			)}
		</ConfirmDialog>
	);
}
