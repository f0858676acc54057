import type { TextField } from "../../../platform/http/pages/form.ts";

type Fault = string | undefined;

export const nameField = (value: string, fault: Fault): TextField => ({
	name: "name",
	label: "Your name",
	value,
	autocomplete: "name",
	maxLength: 255,
	fault,
});

export const emailField = (value: string, fault?: Fault): TextField => ({
	name: "email",
	label: "Email address",
	type: "email",
	value,
	autocomplete: "username",
	maxLength: 254,
	fault,
});

/** The field for the password of an account that is there; it is never written back. */
export const passwordField = (fault?: Fault): TextField => ({
	name: "password",
	label: "Password",
	type: "password",
	autocomplete: "current-password",
	maxLength: 1024,
	fault,
});

/** The field for a password that somebody chooses. */
export const newPasswordField = (fault: Fault, label = "Password"): TextField => ({
	name: "password",
	label,
	type: "password",
	autocomplete: "new-password",
	minLength: 12,
	maxLength: 128,
	hint: "At least 12 characters. A few unrelated words make a good one.",
	fault,
});
