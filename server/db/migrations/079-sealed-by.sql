-- Which key has sealed the secret of an app: a start opens those alone that another one has sealed (design/mail-and-notifications#expiring-tokens).
alter table totp_secrets add column sealed_by bytea;
