export { PasswordRules } from "./password-rules.tsx";
