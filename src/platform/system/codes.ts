// The operating system's own short word for an error; the contract knows the words, because failures are made of them.
export { systemCode } from "../../core/contract/index.ts";
