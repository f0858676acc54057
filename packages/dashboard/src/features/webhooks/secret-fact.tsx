import { useState } from "react";
import { call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Secret } from "../../ui/secret/secret.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import { type Endpoint, staleRoutes } from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** The prefix of the secret and the button that renews it. */
export function SecretFact({ endpoint }: { readonly endpoint: Endpoint }) {
	const site = useSite();
	const [step, setStep] = useState<"asked" | { readonly secret: string }>();
	const isInPlan = usePlanHas("webhooks");
	const rotate = useChange({
		run: () =>
			call("POST /webhooks/{endpoint_id}/rotate-secret", {
				path: { endpoint_id: endpoint.id },
				query: { account_id: site.id },
			}),
		stale: staleRoutes,
	});
	const close = () => setStep(undefined);
	return (
		<div className={classes(styles.row, styles.middle)}>
			<div className={styles.grow}>
				<p>{t.version(endpoint.secret_last_4, endpoint.secret_version)}</p>
				{endpoint.previous_secret_expires_at !== null && (
					<p className={styles.hint}>{t.before(time(endpoint.previous_secret_expires_at))}</p>
				)}
			</div>
			{isInPlan && may("POST /webhooks/{endpoint_id}/rotate-secret", site.role) && (
				<Button small onClick={() => setStep("asked")}>
					{t.rotate}
				</Button>
			)}
			{step === "asked" && (
				<ConfirmDialog
					title={t.rotateTitle}
					goes={t.rotateGoes}
					stays={t.rotateStays}
					action={t.rotate}
					onConfirm={async () => setStep({ secret: (await rotate.mutateAsync(undefined)).new_secret })}
					// The dialog closes after it has confirmed too, when the secret is shown.
					onClose={() => setStep((now) => (now === "asked" ? undefined : now))}
				/>
			)}
			{typeof step === "object" && (
				<Dialog title={t.rotate} onClose={close}>
					<div className={styles.form}>
						<p>{t.rotated}</p>
						<Secret label={t.secret} value={step.secret} />
						<Button look="primary" onClick={close}>
							{t.done}
						</Button>
					</div>
				</Dialog>
			)}
		</div>
	);
}
