import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type SubmitEvent, useState } from "react";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { day } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Area } from "../../ui/field/field.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { useSite } from "../site/index.ts";
import styles from "./assistant.module.css";
import { Question } from "./messages.tsx";
import { usageQuery, useAsk } from "./queries.ts";
import { t } from "./texts.ts";

const longest = 1000;

interface AskFormProps {
	readonly conversation: string | undefined;
	/** The conversation has no room. */
	readonly isFull: boolean;
	/** An answer came, in this conversation. */
	readonly onAnswer: (conversation: string) => void;
}

/** The field for a question, with what is left of the month and what has become of the last one. */
export function AskForm({ conversation, isFull, onAnswer }: AskFormProps) {
	const site = useSite();
	const { data: usage } = useQuery(usageQuery(site.id));
	const [text, setText] = useState("");
	const { pending, failure, said, ask } = useQuestion(conversation, onAnswer, () => setText(""));
	const isUsedUp = usage?.questions_remaining === 0;
	const isShut = isUsedUp || isFull || pending !== undefined;
	const send = (question: string) => {
		if (question.trim() !== "" && !isShut) void ask(question.trim());
	};
	return (
		<>
			{pending !== undefined && <Question text={pending} />}
			<p role="status" className={pending === undefined ? "visually-hidden" : styles.pending}>
				{pending === undefined ? said : t.asking}
			</p>
			{failure && (
				<div role="alert" className={styles.fault}>
					{faultText(failure)}
				</div>
			)}
			<Card>
				<form
					className={styles.form}
					onSubmit={(event: SubmitEvent) => {
						event.preventDefault();
						send(text);
					}}
				>
					<Area
						label={t.question}
						hint={conversation === undefined ? t.hint : t.goesOn}
						rows={2}
						maxLength={longest}
						value={text}
						onChange={(event) => setText(event.target.value)}
						onKeyDown={(event: KeyboardEvent) => {
							if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
							event.preventDefault();
							send(text);
						}}
					/>
					<div className={styles.row}>
						<Button type="submit" look="primary" disabled={isShut || text.trim() === ""}>
							{t.ask}
						</Button>
						{usage && (
							<p className={styles.muted}>
								{isUsedUp ? t.usedUp(day(usage.period_end)) : t.left(usage.questions_remaining, day(usage.period_end))}
							</p>
						)}
						{isFull && <p className={styles.muted}>{t.full}</p>}
					</div>
				</form>
				{conversation === undefined && !isShut && <Suggestions onChoose={send} />}
			</Card>
		</>
	);
}

/** Asks, and says what has become of it. */
function useQuestion(conversation: string | undefined, onAnswer: (id: string) => void, onDone: () => void) {
	const site = useSite();
	const change = useAsk(site.id);
	const [pending, setPending] = useState<string>();
	const [failure, setFailure] = useState<Failure>();
	const [said, setSaid] = useState("");
	const ask = async (message: string) => {
		setPending(message);
		setFailure(undefined);
		setSaid("");
		try {
			onAnswer(await change.mutateAsync({ message, conversation }));
			setSaid(t.answered);
			onDone();
		} catch (error) {
			setFailure(asFailure(error));
			setSaid(t.failed);
		}
		setPending(undefined);
	};
	return { pending, failure, said, ask };
}

function faultText(failure: Failure): string {
	if (failure.code === "gateway_timeout") return t.slow;
	if (failure.code === "bad_gateway" || failure.code === "service_unavailable") return t.away;
	return failureText(failure);
}

const Suggestions = ({ onChoose }: { readonly onChoose: (question: string) => void }) => (
	<div className={styles.suggestions}>
		<p className={styles.muted}>{t.suggestions}</p>
		<ul>
			{t.examples.map((example) => (
				<li key={example}>
					<Button small onClick={() => onChoose(example)}>
						{example}
					</Button>
				</li>
			))}
		</ul>
	</div>
);
