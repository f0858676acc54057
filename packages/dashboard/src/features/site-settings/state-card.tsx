import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { day } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Site, sitesQuery } from "../site/index.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";
import { useSiteChange } from "./use-site-change.ts";

/** Whether the site counts; it can rest, and it can end. */
export function StateCard({ site }: { readonly site: Site }) {
	const { run, isBusy } = useSiteChange(site, ({ is_active: isActive }) => (isActive ? t.resumed : t.paused));
	const isDeleted = site.purge_at !== null;
	// To stop a site is for its owners, as it is to delete it.
	const mayStop = may("DELETE /sites/{id}", site.role);
	const mayResume = may("PATCH /sites/{id}", site.role);
	return (
		<>
			<Card title={t.state}>
				<div className={styles.row}>
					<p>{stateOf(site)}</p>
					{site.is_active
						? mayStop && (
								<Button disabled={isBusy} onClick={() => run({ is_active: false })}>
									{t.pause}
								</Button>
							)
						: mayResume && (
								<Button look="primary" disabled={isBusy} onClick={() => run({ is_active: true })}>
									{isDeleted ? t.bringBack : t.resume}
								</Button>
							)}
				</div>
			</Card>
			{mayStop && !isDeleted && <RemoveCard site={site} />}
		</>
	);
}

function stateOf({ is_active: isActive, purge_at: purgeAt }: Site): string {
	if (purgeAt !== null) return t.deletedUntil(day(purgeAt.slice(0, 10), "long"));
	return isActive ? t.counting : t.resting;
}

function RemoveCard({ site }: { readonly site: Site }) {
	const [isOpen, setOpen] = useState(false);
	const queries = useQueryClient();
	const remove = async () => {
		await call("DELETE /sites/{id}", { path: { id: site.id } });
		await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
		toast(t.removed);
	};
	return (
		<Card title={t.remove}>
			<div className={styles.row}>
				<p>{t.removeHint}</p>
				<Button look="danger" onClick={() => setOpen(true)}>
					{t.remove}
				</Button>
			</div>
			{isOpen && (
				<ConfirmDialog
					title={t.removeTitle(site.name)}
					goes={t.removeGoes}
					stays={t.removeStays}
					name={site.name}
					action={t.remove}
					onConfirm={remove}
					onClose={() => setOpen(false)}
				/>
			)}
		</Card>
	);
}
