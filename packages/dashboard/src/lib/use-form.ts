import { type FormEvent, type RefCallback, useCallback, useRef, useState } from "react";
import { asFailure, type Failure } from "./failure.ts";
import { dropDraft, keepDraft, restoreDraft } from "./form-draft.ts";

/** A form and how it fares. */
export interface FormState {
	readonly isBusy: boolean;
	/** Error of the whole form; errors of fields are shown at the fields. */
	readonly failure: Failure | undefined;
	/** The server's words on a field of the body: `errorOf("name")`. */
	readonly errorOf: (field: string) => string | undefined;
	readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
	/** For a form that keeps its draft, instead of `onSubmit` alone: `<form {...form.keeping}>`. */
	readonly keeping: {
		readonly ref: RefCallback<HTMLFormElement>;
		readonly onInput: (event: FormEvent<HTMLFormElement>) => void;
		readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
	};
	/** Throws the draft away. */
	readonly forget: () => void;
}

interface FormOptions {
	/**
	 * Names the form on its screen. Input of uncontrolled fields (`defaultValue`) is kept in this tab until it is sent,
	 * so that it survives a sign-in after an expired session.
	 */
	readonly draft?: string;
}

/**
 * A form whose values live in its fields: the browser checks them first, then the server, whose words go to the field
 * that it names. The first faulty field gets the focus.
 */
export function useForm(send: (values: FormData) => Promise<unknown>, { draft }: FormOptions = {}): FormState {
	const [state, setState] = useState<{ isBusy: boolean; failure?: Failure }>({ isBusy: false });
	const form = useRef<HTMLFormElement>(null);
	const errorOf = (field: string) =>
		state.failure?.detail.find((fault) => fault.field === `body.${field}` || fault.field.startsWith(`body.${field}.`))
			?.message;
	async function submit(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		if (state.isBusy) return;
		form.current = event.currentTarget;
		setState({ isBusy: true });
		try {
			await send(new FormData(event.currentTarget));
			if (draft !== undefined) dropDraft(draft);
			setState({ isBusy: false });
		} catch (error) {
			const failure = asFailure(error);
			if (draft !== undefined && isSignedOut(failure)) return signInAgain();
			setState({ isBusy: false, failure });
			focusFault(form.current, failure);
		}
	}
	const onSubmit = (event: FormEvent<HTMLFormElement>) => void submit(event);
	// The same function as long as the form is: another one would bring the draft back again and again.
	const ref = useCallback(
		(element: HTMLFormElement | null) => {
			if (element !== null && draft !== undefined) restoreDraft(draft, element);
		},
		[draft],
	);
	const onInput = (event: FormEvent<HTMLFormElement>) => {
		if (draft !== undefined) keepDraft(draft, event.currentTarget);
	};
	const forget = () => {
		if (draft !== undefined) dropDraft(draft);
	};
	return { ...state, failure: state.failure, errorOf, onSubmit, keeping: { ref, onInput, onSubmit }, forget };
}

function focusFault(form: HTMLFormElement | null, { detail }: Failure): void {
	const first = detail[0]?.field.replace(/^body\./, "");
	const element = first === undefined ? undefined : form?.elements.namedItem(first);
	if (element instanceof HTMLElement) element.focus();
}

/** A wrong password is 401 too, and is said in the form. */
const isSignedOut = ({ status, code }: Failure) => status === 401 && code !== "invalid_credentials";

const signInAgain = () => location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);

/** The text of a field. */
export const textOf = (values: FormData, name: string): string => String(values.get(name) ?? "");
