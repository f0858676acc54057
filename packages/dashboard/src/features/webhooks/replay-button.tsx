import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { useSite } from "../site/index.ts";
import { t } from "./delivery-texts.ts";
import type { Delivery } from "./queries.ts";
import { useReplay } from "./use-replay.ts";
import styles from "./webhooks.module.css";

interface ReplayButtonProps {
	readonly deliveries: readonly Delivery[];
	readonly label: string;
	readonly onDone?: () => void;
}

/** Sends deliveries again; asks first where some have succeeded, as their receiver gets the event twice. */
export function ReplayButton({ deliveries, label, onDone }: ReplayButtonProps) {
	const site = useSite();
	const [isAsking, setAsking] = useState(false);
	const replay = useReplay(site.id);
	const others = deliveries.filter(({ status }) => status !== "success");
	const send = async (force: boolean) => {
		setAsking(false);
		try {
			await replay.mutateAsync({ deliveries: force ? deliveries : others, force });
			onDone?.();
		} catch (error) {
			toast(failureText(asFailure(error)));
		}
	};
	return (
		<>
			<Button
				small
				disabled={deliveries.length === 0 || replay.isBusy}
				onClick={() => (others.length === deliveries.length ? void send(false) : setAsking(true))}
			>
				<RotateCcw size={14} aria-hidden="true" /> {label}
			</Button>
			{isAsking && (
				<Dialog title={t.forceTitle} onClose={() => setAsking(false)}>
					<div className={styles.form}>
						<p>{t.forceText(deliveries.length - others.length, deliveries.length)}</p>
						<div className={styles.actions}>
							<Button onClick={() => setAsking(false)}>{t.cancel}</Button>
							{others.length > 0 && <Button onClick={() => void send(false)}>{t.onlyFailed(others.length)}</Button>}
							<Button look="primary" onClick={() => void send(true)}>
								{t.forceAll(deliveries.length)}
							</Button>
						</div>
					</div>
				</Dialog>
			)}
		</>
	);
}
