import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { ago } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { useSite } from "../site/index.ts";
import styles from "./assistant.module.css";
import { type Session, sessionsQuery, useRemoval } from "./queries.ts";
import { t } from "./texts.ts";

interface ConversationsCardProps {
	readonly chosen: string | undefined;
	/** Undefined: none is looked at any more. */
	readonly onChoose: (id: string | undefined) => void;
}

/** The user's conversations about this site. */
export function ConversationsCard({ chosen, onChoose }: ConversationsCardProps) {
	const site = useSite();
	const query = useQuery(sessionsQuery(site.id));
	const removal = useRemoval(site.id);
	const [doomed, setDoomed] = useState<Session>();
	const mayRemove = may("DELETE /assistant/conversations/{conversation_id}", site.role);
	return (
		<Card title={t.conversations}>
			<p className={styles.muted}>{t.conversationsHint}</p>
			<LoadedItems label={t.conversations} query={query} of={({ sessions }) => sessions} empty={<p>{t.none}</p>}>
				{(session) => (
					<Item
						key={session.id}
						title={
							<button
								type="button"
								className={styles.open}
								aria-current={session.id === chosen ? "true" : undefined}
								onClick={() => onChoose(session.id)}
							>
								{session.title}
							</button>
						}
						facts={`${t.messages(session.message_count)} · ${ago(session.updated_at)}`}
						actions={
							mayRemove && (
								<Button small look="danger" onClick={() => setDoomed(session)}>
									{t.remove}
									<span className="visually-hidden"> {session.title}</span>
								</Button>
							)
						}
					/>
				)}
			</LoadedItems>
			{doomed && (
				<ConfirmDialog
					title={t.removeTitle(doomed.title)}
					goes={t.removeGoes}
					action={t.remove}
					onConfirm={async () => {
						await removal.mutateAsync(doomed);
						if (doomed.id === chosen) onChoose(undefined);
					}}
					onClose={() => setDoomed(undefined)}
				/>
			)}
		</Card>
	);
}
