# Refdesk as a container: `docker build -t refdesk .`, then see compose.yaml. Everything it keeps is in /data.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bots bots
COPY core core
COPY adapters adapters
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
# git is for collections whose source is a repository
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY constraints.txt /tmp/
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir -c /tmp/constraints.txt "$(echo /wheels/*.whl)[postgres,pinecone,web,otel]" \
    && rm -rf /wheels /tmp/constraints.txt \
    && useradd --create-home --uid 10001 refdesk \
    && install --directory --owner=refdesk /data
USER refdesk
WORKDIR /data
VOLUME /data
ENV REFDESK_DATA_DIR=/data REFDESK_CONFIG=/etc/refdesk.toml PYTHONUNBUFFERED=1
# /healthz answers 200 while the record, the index and every platform's connection are well ([health] in refdesk.toml)
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["refdesk"]
CMD ["serve"]
