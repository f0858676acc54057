import { skipToken, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type SubmitEvent, useState } from "react";
import { boot } from "../../api/boot.ts";
import { may } from "../../api/may.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { ago, day } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Area } from "../../ui/field/field.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { meQuery, ScreenHead, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./assistant.module.css";
import { Messages, Question } from "./messages.tsx";
import { conversationQuery, type Session, sessionsQuery, usageQuery, useAsk, useRemoval } from "./queries.ts";
import { t } from "./texts.ts";

/** Messages that a conversation has room for. */
const most = 100;

/** Questions about the site in words. */
export function AskScreen() {
	const isSetUp = boot.config?.features.includes("assistant") ?? true;
	return isSetUp ? <Assistant /> : <NotSetUp />;
}

/** Only who runs the service can do something about it. */
function NotSetUp() {
	const { data: me } = useQuery(meQuery);
	return (
		<>
			<ScreenHead title={t.title} />
			<Card>
				<p>{t.notSetUp}</p>
				{me?.role === "superadmin" && <p>{t.settings}</p>}
			</Card>
		</>
	);
}

function Assistant() {
	const site = useSite();
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const chosen = viewValue(view, "conversation");
	const choose = (id: string | undefined) =>
		change({ view: withView(view, "conversation", id === undefined ? [] : [id]) });
	const options = conversationQuery(site.id, chosen ?? "");
	const query = useQuery(chosen === undefined ? { queryKey: options.queryKey, queryFn: skipToken } : options);
	const count = query.data?.messages.length ?? 0;
	return (
		<>
			<ScreenHead title={t.title}>
				{chosen !== undefined && <Button onClick={() => choose(undefined)}>{t.begin}</Button>}
			</ScreenHead>
			<div className={styles.screen}>
				<div className={styles.talk}>
					{chosen !== undefined && <Loaded query={query}>{({ messages }) => <Messages messages={messages} />}</Loaded>}
					<AskForm conversation={chosen} isFull={count >= most} onAnswer={choose} />
				</div>
				<ConversationsCard chosen={chosen} onChoose={choose} />
			</div>
		</>
	);
}

interface ConversationsCardProps {
	readonly chosen: string | undefined;
	/** Undefined: none is looked at any more. */
	readonly onChoose: (id: string | undefined) => void;
}

/** The user's conversations about this site. */
function ConversationsCard({ chosen, onChoose }: ConversationsCardProps) {
	const site = useSite();
	const query = useQuery(sessionsQuery(site.id));
	const removal = useRemoval(site.id);
	const [doomed, setDoomed] = useState<Session>();
	const mayRemove = may("DELETE /assistant/conversations/{conversation_id}", site.role);
	return (
		<Card title={t.conversations}>
			<p className="muted">{t.conversationsHint}</p>
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

const longest = 1000;

interface AskFormProps {
	readonly conversation: string | undefined;
	/** The conversation has no room. */
	readonly isFull: boolean;
	/** An answer came, in this conversation. */
	readonly onAnswer: (conversation: string) => void;
}

/** The field for a question, with what is left of the month and what has become of the last one. */
function AskForm({ conversation, isFull, onAnswer }: AskFormProps) {
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
			<p role="status" className={pending === undefined ? "visually-hidden" : "muted"}>
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
							<p className="muted">
								{isUsedUp ? t.usedUp(day(usage.period_end)) : t.left(usage.questions_remaining, day(usage.period_end))}
							</p>
						)}
						{isFull && <p className="muted">{t.full}</p>}
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
		<p className="muted">{t.suggestions}</p>
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
