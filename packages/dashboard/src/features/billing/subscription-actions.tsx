import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import type { Organization } from "../organizations/index.ts";
import styles from "./billing.module.css";
import { dayWords } from "./period-words.ts";
import type { Subscription } from "./queries.ts";
import { t } from "./selling-texts.ts";

interface SubscriptionActionsProps {
	readonly organization: Organization;
	readonly subscription: Subscription;
}

const stale = [
	"GET /billing/overview",
	"GET /billing/subscription/history",
	"GET /organizations",
	"GET /organizations/{slug}",
] as const;

/** Cards and invoices at the provider's pages; the end of the subscription, and taking that back. */
export function SubscriptionActions({ organization: { id }, subscription }: SubscriptionActionsProps) {
	const [isAsking, setAsking] = useState(false);
	const portal = usePortal(id);
	const query = { org_id: id };
	const cancel = useChange({
		run: () => call("POST /billing/subscription/cancel", { query }),
		stale,
		done: ({ cancels_at: end }) => t.cancelled(dayWords(end)),
	});
	const resume = useChange({
		run: () => call("POST /billing/subscription/resume", { query }),
		stale,
		done: () => t.resumed,
	});
	const end = dayWords(subscription.current_period_end);
	const isEnding = subscription.cancel_at_period_end;
	return (
		<div className={styles.actions}>
			<Button disabled={portal.isBusy} onClick={portal.open}>
				{t.portal}
			</Button>
			<Button look={isEnding ? "primary" : "danger"} onClick={() => setAsking(true)}>
				{isEnding ? t.resume : t.cancel}
			</Button>
			{isAsking &&
				(isEnding ? (
					<ConfirmDialog
						title={t.resume}
						goes={[t.resumeGoes]}
						stays={[t.resumeStays(end)]}
						action={t.resume}
						onConfirm={() => resume.mutateAsync(undefined)}
						onClose={() => setAsking(false)}
					/>
				) : (
					<ConfirmDialog
						title={t.cancel}
						goes={[t.cancelGoes(end)]}
						stays={[t.cancelStays(end)]}
						action={t.cancel}
						onConfirm={() => cancel.mutateAsync(undefined)}
						onClose={() => setAsking(false)}
					/>
				))}
		</div>
	);
}

/** Leads to the provider's pages. */
function usePortal(id: string) {
	const open = useMutation({
		mutationFn: () =>
			call("POST /billing/portal", { body: { org_id: id, return_url: `${location.origin}${location.pathname}` } }),
		onSuccess: ({ portal_url: url }) => location.assign(url),
		onError: (error) => toast(failureText(asFailure(error))),
	});
	return { isBusy: open.isPending, open: () => open.mutate() };
}
