// Class names as GitHub's build writes them: module, name, and a hash that changes with each release.

const release = crypto.randomUUID().slice(0, 5);

export const moduleClass = (module: string, name: string): string => `${module}-module__${name}--${release}`;
