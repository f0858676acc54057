import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { useSite } from "../site/index.ts";
import { t } from "./delivery-texts.ts";
import { type Delivery, staleRoutes } from "./queries.ts";

/** Which deliveries are sent again, and whether those too that have succeeded. */
interface Replay {
	readonly deliveries: readonly Delivery[];
	readonly force: boolean;
}

/** Sends the events of deliveries again, each as a delivery of its own. */
const useReplay = (site: string) =>
	useChange({
		run: ({ deliveries, force }: Replay) =>
			call("POST /webhooks/bulk/replay", {
				query: { account_id: site },
				body: { delivery_ids: deliveries.map(({ delivery_id: id }) => id), force },
			}),
		stale: staleRoutes,
		done: ({ replayed, skipped, errors }) => {
			if (skipped > 0) toast(t.skipped(skipped));
			if (errors.length > 0) toast(t.refused(errors.length));
			return replayed > 0 ? t.replayed(replayed) : undefined;
		},
	});

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
					<div className="stack-16">
						<p>{t.forceText(deliveries.length - others.length, deliveries.length)}</p>
						<div className="row">
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
