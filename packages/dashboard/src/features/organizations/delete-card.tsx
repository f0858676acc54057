import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import styles from "./organizations.module.css";
import type { Organization } from "./queries.ts";
import { t } from "./texts.ts";

/** Deletes an organization after its name was typed. */
export function DeleteCard({
	organization: { slug, name, site_count: sites },
}: {
	readonly organization: Organization;
}) {
	const [isAsking, setAsking] = useState(false);
	const navigate = useNavigate();
	const end = useChange({
		run: () => call("DELETE /organizations/{slug}", { path: { slug }, body: { name } }),
		stale: ["GET /organizations", "GET /sites"],
		done: () => t.deleted(name),
	});
	return (
		<Card title={t.delete}>
			<div className={styles.part}>
				<p className={styles.muted}>{t.deleteText}</p>
				<Button look="danger" onClick={() => setAsking(true)}>
					{t.deleteNow}
				</Button>
			</div>
			{isAsking && (
				<ConfirmDialog
					title={t.delete}
					goes={[t.deleteGoes(sites), t.deleteKeys]}
					stays={[t.deleteStays]}
					name={name}
					action={t.delete}
					onConfirm={async () => {
						await end.mutateAsync(undefined);
						await navigate({ to: "/organizations" });
					}}
					onClose={() => setAsking(false)}
				/>
			)}
		</Card>
	);
}
