declare module 'zoid/dist/zoid.frame.js' {
  export function create(settings: { tag: string; url: () => string }): unknown;
}
